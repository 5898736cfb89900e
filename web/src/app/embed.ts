/** Entry module of `streamglass.js`: defines `<stream-glass>`. */
export {};
