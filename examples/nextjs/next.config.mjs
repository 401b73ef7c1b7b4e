/** This folder is the root of the site, although the folder of the repository has a lock file, too. */
export default { turbopack: { root: import.meta.dirname } }
