/** Version of the program, equal to that of its package. */
export const version = "0.1.0";
