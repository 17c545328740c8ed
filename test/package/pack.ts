import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../helpers/sources.js'

/** What a package would be, were it published now: the paths of its files, and its size in bytes once packed. */
export type Packed = { files: string[]; size: number }

/** Asks npm what it would publish of a folder of this repository. */
export const pack = (folder: string): Packed => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']
  const output = execFileSync('npm', args, {
    cwd: join(root, folder),
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 1 << 26,
  })
  const [packed]: { files: { path: string }[]; size: number }[] = JSON.parse(output)
  if (!packed) throw new Error(`npm packs nothing of ${folder}`)
  return { files: packed.files.map(({ path }) => path.replaceAll('\\', '/')), size: packed.size }
}
