//! What a cell, a row and a change are.
