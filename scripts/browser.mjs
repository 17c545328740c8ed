import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { privateDir, root, stateDir } from './lib/paths.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** @param {string} path */
const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * A Chromium already on this machine, or undefined.
 * @param {NodeJS.ProcessEnv} env
 */
const findInstalled = (env) => {
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((dir) => names.map((name) => join(dir, name)))
  return [...onPath, ...usualPlaces].find(isExecutable)
}

/** Unpacks npm's Chromium into a separate folder, once per version. */
const unpack = () => {
  const pack = join(root, 'node_modules/@sparticuz/chromium')
  const { version } = JSON.parse(readFileSync(join(pack, 'package.json'), 'utf8'))
  const home = join(privateDir(stateDir), `chromium-${version}`)
  if (existsSync(home)) return home
  const draft = privateDir(`${home}.${process.pid}`)
  // The package unpacks into TMPDIR, and its shared libraries only where it believes itself on Lambda.
  execFileSync(
    process.execPath,
    ['--input-type=module', '-e', `await (await import('@sparticuz/chromium')).default.executablePath()`],
    { cwd: root, env: { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' } },
  )
  try {
    renameSync(draft, home)
  } catch (error) {
    if (!existsSync(home)) throw error
    rmSync(draft, { recursive: true })
  }
  return home
}

/**
 * A machine without fonts gets the one that came along; its own fonts and rules come first.
 * @param {string} home
 */
const fontConfig = (home) => {
  const file = join(home, 'fonts.conf')
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(home, 'fonts/fonts')}</dir>
  <cachedir>${join(home, 'font-cache')}</cachedir>
</fontconfig>
`,
  )
  return file
}

/** @param {string} executable */
const lacksLibraries = (executable) =>
  /not found/.test(spawnSync('ldd', [executable], { encoding: 'utf8' }).stdout ?? '')

/**
 * A Chromium to drive, as launch options for Playwright: `CHROME_PATH`, else one on this machine, else the
 * one that came from npm.
 * @returns {{ executablePath: string, args: string[], env: Record<string, string> }}
 */
export const findBrowser = () => {
  const env = /** @type {Record<string, string>} */ ({ ...process.env })
  const args = ['--no-sandbox', '--disable-dev-shm-usage']
  const wanted = env.CHROME_PATH
  if (wanted) {
    if (!isExecutable(wanted)) throw new Error(`CHROME_PATH names ${wanted}, which cannot be executed.`)
    return { executablePath: wanted, args, env }
  }
  const installed = findInstalled(env)
  if (installed) return { executablePath: installed, args, env }
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('No Chromium or Chrome was found. Install one, or point CHROME_PATH at it.')
  const home = unpack()
  const executablePath = join(home, 'chromium')
  env.FONTCONFIG_FILE = fontConfig(home)
  if (lacksLibraries(executablePath))
    env.LD_LIBRARY_PATH = [join(home, 'al2023/lib'), env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  return { executablePath, args: [...args, '--disable-gpu'], env }
}
