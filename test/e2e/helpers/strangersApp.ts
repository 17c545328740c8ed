import { lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { startChild } from '../../../scripts/lib/child.mjs'
import { packagesDir, runNpm } from '../../../scripts/lib/pack.mjs'
import { findPort } from '../../../scripts/lib/ports.mjs'
import { waitFor } from '../../../scripts/lib/waitFor.mjs'
import { readSource } from '../../helpers/sources.js'
import type { Guide } from './guide.js'

/** What a tool that makes new apps leaves behind: how it is called, and the app's manifest and files. */
export type Skeleton = {
  command: string
  manifest: object
  files: Record<string, string>
  /** The versions of packages that this repository has in another version or not at all. */
  versions?: Record<string, string>
}

type Lock = { packages: Record<string, { version?: string }> }

const lock: Lock = JSON.parse(readSource('package-lock.json'))

/** A word of `npm install`: a packed package where it lies, another's in the version that this repository is tested with. */
const pin = (word: string, versions: Record<string, string> = {}): string => {
  if (word.startsWith('-')) return word
  if (word.endsWith('.tgz')) return join(packagesDir, basename(word))
  const [, name = '', range = ''] = /^(.+)@(\d+)$/.exec(word) ?? []
  const version = versions[name] ?? lock.packages[`node_modules/${name}`]?.version
  // A new release of another's package must not break a test.
  if (!version?.startsWith(`${range}.`)) throw new Error(`${word} is not what the lock file has`)
  return `${name}@${version}`
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

/**
 * Makes an app in an empty folder as its guide does: what the guide's tool leaves behind, then every installation as
 * the guide has it typed.
 */
export const createApp = async (folder: string, skeleton: Skeleton, { commands }: Guide): Promise<void> => {
  if (!commands.includes(skeleton.command)) throw new Error(`the guide does not say ${skeleton.command}`)
  const manifest = { name: basename(folder), private: true, ...skeleton.manifest }
  write(folder, [['package.json', JSON.stringify(manifest)], ...Object.entries(skeleton.files)])
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  for (const command of commands) {
    const [npm, verb, ...words] = command.split(' ')
    if (npm === 'npm' && verb === 'install')
      await runNpm(['install', ...words.map((word) => pin(word, skeleton.versions)), ...flags], {
        cwd: folder,
        env,
      })
  }
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

/** Has an app's own script do its work to the end. */
export const runScript = (folder: string, name: string): Promise<string> =>
  runNpm(['run', name], { cwd: folder, env })

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
