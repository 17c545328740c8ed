import { readFileSync, statSync, writeFileSync } from 'node:fs'

/**
 * Remembers what each build was made from, in a file. The time of a file that the build wrote is part of it, so that a
 * build that another command has replaced counts as none.
 * @param {string} path
 */
export const createStamps = (path) => {
  /** @returns {Record<string, string>} */
  const read = () => {
    try {
      return JSON.parse(readFileSync(path, 'utf8'))
    } catch {
      return {}
    }
  }
  const stamp = (/** @type {string} */ hash, /** @type {string} */ proof) => {
    const written = statSync(proof, { throwIfNoEntry: false })
    return written && `${hash} ${written.mtimeMs}`
  }
  return {
    /**
     * Whether what lies there was built from these inputs.
     * @param {string} name of the build
     * @param {string} hash over its inputs
     * @param {string} proof a file that it writes
     */
    isCurrent(name, hash, proof) {
      const current = stamp(hash, proof)
      return current !== undefined && read()[name] === current
    },
    /**
     * Notes a build that has just ended.
     * @param {string} name
     * @param {string} hash
     * @param {string} proof
     */
    keep(name, hash, proof) {
      // Another build may have been noted meanwhile.
      writeFileSync(path, `${JSON.stringify({ ...read(), [name]: stamp(hash, proof) }, null, 2)}\n`)
    },
  }
}
