//! Small functions of free input, all paths.
