/** Shells for which there is a completion script. */
export const shellNames = ["bash", "zsh", "fish"] as const;

export type ShellName = (typeof shellNames)[number];
