//! Names as the user wrote them.
