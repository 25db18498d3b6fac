//! Turns stack variables into values, keeping assignment markers.
