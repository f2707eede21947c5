/** Whether names inside a folder are made durable by syncing the folder, as POSIX systems do it. */

/** Windows can open a folder and refuses to sync it; names on its file systems are journaled. */
export const canSyncFolders: boolean = process.platform !== "win32";
