import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { privateDir, root, stateDir } from '../../scripts/lib/paths.mjs'

/** What is measured of Shopify's. */
export const hydrogenPackage = '@shopify/hydrogen-react@2026.4.4'

const page = `import { CartLineProvider, CartProvider, ShopifyProvider, useCart, useCartLine } from '@shopify/hydrogen-react'
import { startHydrogen } from '${pathToFileURL(join(root, 'bench/updates/variants/hydrogen.tsx')).pathname}'

startHydrogen({ CartLineProvider, CartProvider, ShopifyProvider, useCart, useCartLine })
`

/**
 * Installs hydrogen-react beside the bench, once; it is no dependency of ours.
 * @returns {Promise<URL | undefined>} a page that measures it, or undefined where npm cannot have it
 */
export const installHydrogen = async () => {
  const home = privateDir(join(stateDir, 'bench/hydrogen'))
  if (!existsSync(join(home, 'node_modules/@shopify/hydrogen-react'))) {
    writeFileSync(join(home, 'package.json'), '{ "private": true }\n')
    // React is ours, one and the same for every variant, so its peers are left out.
    const wanted = ['install', '--prefix', home, '--legacy-peer-deps', '--ignore-scripts', hydrogenPackage]
    try {
      await promisify(execFile)('npm', [...wanted, '--no-audit', '--no-fund'], {
        shell: process.platform === 'win32',
      })
    } catch {
      return undefined
    }
  }
  const entry = join(home, 'page.js')
  writeFileSync(entry, page)
  return pathToFileURL(entry)
}
