import { lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { startChild } from '../../../scripts/lib/child.mjs'
import { packagesDir, runNpm } from '../../../scripts/lib/pack.mjs'
import { findPort } from '../../../scripts/lib/ports.mjs'
import { waitFor } from '../../../scripts/lib/waitFor.mjs'
import { readSource } from '../../helpers/sources.js'
import type { Guide } from './guide.js'

/** What a tool that makes new apps leaves behind: its own packages, scripts and files. */
export type Skeleton = { packages: string[]; build: string; files: Record<string, string> }

type Lock = { packages: Record<string, { version?: string }> }

const lock: Lock = JSON.parse(readSource('package-lock.json'))

/** The version that this repository is tested with, so that no new release of another's package breaks a test. */
const pin = (wanted: string): [name: string, version: string] => {
  if (wanted.endsWith('.tgz')) {
    return [basename(wanted, '.tgz'), `file:${join(packagesDir, basename(wanted))}`]
  }
  const name = wanted.replace(/(?<=.)@.*$/, '')
  const places = ['', 'examples/next/', 'examples/vite/'].map((folder) => `${folder}node_modules/${name}`)
  const version = places.map((place) => lock.packages[place]?.version).find((found) => found !== undefined)
  if (version === undefined) throw new Error(`${name} is not in the lock file`)
  return [name, version]
}

/** What npm tells the scripts that it runs is about this repository, and not about an app elsewhere. */
const foreignEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(package|lifecycle|config_local_prefix)|^(INIT_CWD|NODE_ENV|VITEST)/.test(name),
    ),
  )

const env = { ...foreignEnvironment(), NEXT_TELEMETRY_DISABLED: '1' }

const write = (folder: string, files: Iterable<[string, string]>): void => {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Makes an app in an empty folder and installs what its guide names, from the packed packages. */
export const createApp = async (folder: string, skeleton: Skeleton, packages: string[]): Promise<void> => {
  const manifest = {
    name: basename(folder),
    private: true,
    type: 'module',
    scripts: { build: skeleton.build },
    dependencies: Object.fromEntries([...skeleton.packages, ...packages].map(pin)),
  }
  write(folder, [['package.json', JSON.stringify(manifest)], ...Object.entries(skeleton.files)])
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await runNpm(['install', ...flags], { cwd: folder, env })
}

/** Whether a package is a folder of the app's own, and no link into this repository. */
export const isOwnFolder = (folder: string, name: string): boolean => {
  const path = join(folder, 'node_modules', name)
  return lstatSync(path).isDirectory() && realpathSync(path).startsWith(realpathSync(folder) + sep)
}

/** What a program of an app's packages prints. */
export const runBin = (folder: string, ...command: string[]): Promise<string> =>
  runNpm(['exec', '--no', '--', ...command], { cwd: folder, env })

/** Writes an app's files as its guide has them, with what a service printed filled in. */
export const typeGuide = (
  folder: string,
  { files }: Guide,
  service: { url: string; serverKey: string; clientKey: string },
): void =>
  write(
    folder,
    [...files].map(([path, text]) => [
      path,
      text
        .replaceAll('http://localhost:4000', service.url)
        .replaceAll('sk_staging_...', service.serverKey)
        .replaceAll('ck_staging_...', service.clientKey),
    ]),
  )

/** Builds an app by its own script. */
export const buildApp = (folder: string): Promise<string> => runNpm(['run', 'build'], { cwd: folder, env })

/** Runs a program of an app's packages on a free port, until it is stopped. */
export const startApp = async (
  folder: string,
  {
    name,
    script,
    args,
    from,
    path,
  }: { name: string; script: string; args: string[]; from: number; path: string },
) => {
  const port = await findPort(from)
  const program = startChild({
    name,
    script: join(folder, 'node_modules', script),
    args: [...args, '--port', String(port)],
    cwd: folder,
    env,
    log: join(folder, `${name}.log`),
  })
  const url = `http://localhost:${port}`
  await waitFor(`${url}${path}`, program)
  return { url, log: join(folder, `${name}.log`), stop: () => program.stop() }
}
