/** The last part of a path, as a short name of a folder; the path itself where it has none. */
export const folderName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
