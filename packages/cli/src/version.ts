/** The program's version, as its package has it. */
export const version = "0.1.0";
