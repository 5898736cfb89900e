//! The whole product without a browser.
