import { readFileSync } from 'node:fs'

/** Returns the release of the service, from its package. */
export const readVersion = (): string => {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  )
  const isNamed = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isNamed ? String(manifest.version) : 'unknown'
}
