// Compiles the schemas of answers into readers, so that a page reads them without carrying a schema library.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { compileFile } from './lib/compileReaders.mjs'
import { privateDir, root, stateDir } from './lib/paths.mjs'

/**
 * The files of readers, and the schemas that each reads answers by, with the file a schema is in. A checkout reads
 * orders alone, so what only a shop's server asks for stands apart.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
const files = {
  'readers.ts': {
    Order: 'order',
    CreateOrderAnswer: 'createOrderAnswer',
    OrderList: 'orderList',
    ErrorAnswer: 'errorAnswer',
  },
  'tokenReaders.ts': {
    Collection: 'collection',
    CollectionList: 'collection',
    Nft: 'nft',
    NftList: 'nft',
    Template: 'template',
    TemplateList: 'template',
    Action: 'action',
  },
  'walletReaders.ts': {
    Wallet: 'wallet',
    Transaction: 'transaction',
    TransactionList: 'transaction',
    BalanceList: 'balance',
    WalletTokenList: 'walletToken',
    CredentialAnswer: 'credential',
  },
}

/** Where the readers are. */
export const readersPaths = Object.keys(files).map((file) => join(root, 'src/schema', file))

/** Gets the schemas as they are in the sources. @returns {Promise<Record<string, any>>} */
const loadSchemas = async () => {
  const folder = mkdtempSync(join(privateDir(stateDir), 'schemas-'))
  const outfile = join(folder, 'schemas.mjs')
  try {
    await build({
      stdin: { contents: "export * from './index.js'", resolveDir: join(root, 'src/schema') },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The texts of the readers, in the order of their paths. */
export const compileReaders = async () => {
  const schemas = await loadSchemas()
  return Object.values(files).map((answers) => compileFile(schemas, answers))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const texts = await compileReaders()
  readersPaths.forEach((path, index) => {
    writeFileSync(path, texts[index] ?? '')
  })
}
