//! Makes one module of several.
