// Compiles service/contracts and writes one module per contract for the EVM adapter: its interface and bytecode.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const sources = join(root, 'service/contracts')
export const artifacts = join(root, 'service/src/adapters/chains/evm/artifacts')
const require = createRequire(join(root, 'service/package.json'))

/** @param {string} path */
const readImport = (path) => {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') }
  } catch {
    return { error: `not found: ${path}` }
  }
}

/** The EntryPoint (ERC-4337, v0.8) as it was released: other bytes would be at another address. */
const copyEntryPoint = () => {
  const file = '@account-abstraction/contracts/artifacts/EntryPoint.json'
  const { abi, bytecode } = require(file)
  return [
    `// Copied from ${file} by scripts/contracts.mjs; a test copies it again and compares.`,
    '// The EntryPoint is its authors’ work, under the GNU General Public License, version 3.',
    '/** Interface and creation bytecode of the EntryPoint of ERC-4337, version 0.8. */',
    'export const EntryPoint = {',
    `  abi: ${JSON.stringify(abi)},`,
    `  bytecode: '${bytecode}',`,
    '} as const',
    '',
  ].join('\n')
}

/**
 * Compiles every contract, or, when some sources are changed, those and the ones that import them.
 * @param {Record<string, string>} changed what some files say instead, by their names
 * @returns the text of each module by file name
 */
export const compileContracts = (changed = {}) => {
  const solc = require('solc')
  const files = readdirSync(sources).filter((file) => file.endsWith('.sol'))
  /** @param {string} file */
  const read = (file) => changed[file] ?? readFileSync(join(sources, file), 'utf8')
  /** @param {string} file @returns {boolean} */
  const isAffected = (file) =>
    file in changed ||
    [...read(file).matchAll(/from "\.\/([^"]+)"/g)].some(([, imported = '']) => isAffected(imported))
  const compiledFiles = Object.keys(changed).length ? files.filter(isAffected) : files
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: read(file) }])),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      // No hash of the sources' metadata in the bytecode: one source always gives the same bytes and addresses.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: Object.fromEntries(
        compiledFiles.map((file) => [file, { '*': ['abi', 'evm.bytecode.object'] }]),
      ),
    },
  }
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), {
      import: (/** @type {string} */ path) =>
        path.startsWith('@') ? readImport(path) : { error: `not found: ${path}` },
    }),
  )
  /** @type {{ severity: string, formattedMessage: string }[]} */
  const messages = output.errors ?? []
  const errors = messages.filter(({ severity }) => severity === 'error')
  if (errors.length) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const compiled = Object.fromEntries(
    compiledFiles.flatMap((file) => {
      const name = file.replace('.sol', '')
      const { abi, evm } = output.contracts[file][name]
      // An interface, or what others are built on: nothing to deploy.
      if (!evm.bytecode.object) return []
      const text = [
        `// Made from service/contracts/${file} by scripts/contracts.mjs; a test compiles it again and compares.`,
        `/** Interface and creation bytecode of ${name}. */`,
        `export const ${name} = {`,
        `  abi: ${JSON.stringify(abi)},`,
        `  bytecode: '0x${evm.bytecode.object}',`,
        '} as const',
        '',
      ].join('\n')
      return [[`${name}.ts`, text]]
    }),
  )
  return { ...compiled, 'EntryPoint.ts': copyEntryPoint() }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  mkdirSync(artifacts, { recursive: true })
  for (const [file, text] of Object.entries(compileContracts())) {
    writeFileSync(join(artifacts, file), text)
    console.log(`service/src/adapters/chains/evm/artifacts/${file}`)
  }
}
