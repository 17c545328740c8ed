import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const platforms: Readonly<Record<string, string>> = {
  'darwin arm64': 'darwin-arm64',
  'darwin x64': 'darwin-amd64',
  'linux arm64': 'linux-arm64',
  'linux x64': 'linux-amd64',
  'win32 x64': 'win32-amd64',
}

/** Finds the folder of the binary's package, which is optional because only a sandbox has local chains. */
const findFolder = (name: string): string => {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  } catch {
    throw new Error(`local chains need the package ${name}: install it, or install without --omit=optional`)
  }
}

/** Returns the path of the chain node's binary, which the package for this platform contains. */
export const findAnvil = (): string => {
  const platform = platforms[`${process.platform} ${process.arch}`]
  if (!platform) throw new Error(`there is no local chain for ${process.platform} ${process.arch}`)
  const folder = findFolder(`@foundry-rs/anvil-${platform}`)
  return join(folder, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
}
