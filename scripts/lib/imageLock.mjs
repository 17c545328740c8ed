import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packages, packagesDir } from './pack.mjs'
import { root } from './paths.mjs'

/**
 * An entry of npm's lock file.
 * @typedef {{
 *   version?: string, resolved?: string, link?: boolean, optional?: boolean,
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }>,
 * }} Entry
 * @typedef {{ name: string, version: string, overrides?: Record<string, unknown> }} Manifest
 */

/** @param {string} path @returns {any} */
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** What the library and the service are installed from: the files beside the lock file. */
const dependencies = Object.fromEntries(Object.keys(packages).map((name) => [name, `file:${name}.tgz`]))

/**
 * The location of a package as another one imports it, found as Node does.
 * @param {Record<string, unknown>} tree by location
 * @param {string} from
 * @param {string} name
 */
const resolve = (tree, from, name) => {
  for (let folder = from; ; folder = folder.replace(/\/?(node_modules\/)?[^/]*$/, '')) {
    const location = `${folder}${folder && '/'}node_modules/${name}`
    if (tree[location]) return location
    if (!folder) return undefined
  }
}

/**
 * Lays out the library, the service and all that they need at run time, with the versions of the repository's lock
 * file. A version stands at the top unless another one stands there already. Peers that only a browser needs are
 * left out.
 * @param {Record<string, Entry>} repository entries by their location in the repository
 * @returns {Record<string, Entry>} entries by their location in the image
 */
export const layOut = (repository) => {
  /** @type {Record<string, string>} where an entry of the image stands in the repository */
  const origins = {}
  /** @type {Record<string, Entry>} */
  const image = {}
  /** @type {{ location: string, name: string, origin: string, optional: boolean }[]} */
  const queue = []

  /** @type {(from: string, name: string, origin: string, isOptional: boolean) => void} */
  const place = (from, name, origin, isOptional) => {
    const found = resolve(image, from, name)
    if (found && origins[found] === origin) {
      if (isOptional || !image[found]?.optional) return
      delete image[found].optional
      queue.push({ location: found, name, origin, optional: false })
      return
    }
    const location = `${found && from ? `${from}/` : ''}node_modules/${name}`
    const { dev, peer, devOptional, optional, extraneous, devDependencies, workspaces, ...entry } =
      /** @type {any} */ (repository[origin])
    origins[location] = origin
    image[location] = {
      ...entry,
      ...(dependencies[name] && { resolved: dependencies[name] }),
      ...(isOptional && { optional: true }),
    }
    queue.push({ location, name, origin, optional: isOptional })
  }

  // The service first: the versions that it pins stand at the top.
  for (const name of Object.keys(packages).reverse())
    place('', name, packages[/** @type {keyof typeof packages} */ (name)].replace('.', ''), false)
  for (const { location, name: parent, origin, optional } of queue) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      repository[origin] ?? {}
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => parent !== 'kassa' && !peerDependenciesMeta?.[name]?.optional,
    )
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers].sort()) {
      const isOptional = Boolean(optionalDependencies?.[name])
      const found = resolve(repository, origin, name)
      if (!found && isOptional) continue
      if (!found) throw new Error(`the lock file has no ${name} for ${parent}`)
      const { link, resolved = '' } = repository[found] ?? {}
      place(location, name, link ? resolved : found, optional || isOptional)
    }
  }
  return image
}

/**
 * Writes `package.json` and `package-lock.json` beside the packed packages, from which the image is installed with
 * `npm ci`. They follow from the repository's lock file alone, and name no registry.
 * @param {string} [folder] where both packed packages are
 */
export const writeImageLock = (folder = packagesDir) => {
  /** @type {Manifest} */
  const { version } = readJson('service/package.json')
  const overrides = {
    '@solana-program/token-2022': readJson('package.json').overrides['@solana-program/token-2022'],
  }
  const manifest = { name: 'kassa-image', version, private: true, license: 'MIT', dependencies }
  const entries = layOut(readJson('package-lock.json').packages)
  const sorted = Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)))
  const lock = {
    name: manifest.name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name: manifest.name, version, license: 'MIT', dependencies }, ...sorted },
  }
  const write = (/** @type {string} */ name, /** @type {unknown} */ content) =>
    writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`)
  write('package.json', { ...manifest, overrides })
  write('package-lock.json', lock)
}
