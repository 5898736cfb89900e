/** Entry module of the playground page. */
export {};
