import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve as resolvePath } from 'node:path'
import { filesBelow, hashInputs } from './inputs.mjs'
import { privateDir, root, stateDir } from './paths.mjs'
import { skipped, step } from './steps.mjs'
import { tsc } from './types.mjs'

/** @typedef {{ cwd?: string, signal?: AbortSignal | undefined, env?: Record<string, string> }} RunOptions */

/**
 * Runs a JavaScript file in a separate process, so that the running step can count its seconds. Its output is printed only if
 * it fails.
 * @param {string} script the file, absolute or from the root
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<void>}
 */
export const runScript = (script, args, { cwd = root, signal, env = {} } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [resolvePath(root, script), ...args], {
      cwd,
      ...(signal && { signal }),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', KASSA_SKIP_TYPES: '1', ...env },
    })
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`${script} ${args.join(' ')} ended with status ${code}:\n${output}`)),
    )
  })

/**
 * Runs a tool of the installed packages. Its output is printed only if it fails.
 * @param {string} tool the tool's JavaScript file, such as `vite/bin/vite.js`
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export const runTool = (tool, args, options) => runScript(join('node_modules', tool), args, options)

/** For tools that bundle pages: a run of tests, which may be what builds, has a NODE_ENV of its own. */
const production = { NODE_ENV: 'production' }

const common = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']

/**
 * Migrations, pictures and the like lie beside the sources that read them.
 * @param {string} source
 * @param {string} target
 */
const copyAssets = (source, target) => {
  for (const file of filesBelow(source).filter((name) => !/\.m?tsx?$/.test(name))) {
    const copy = join(root, target, relative(source, file))
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(join(root, file), copy)
  }
}

/**
 * Copies the page that shows the OpenAPI document, with its licence: a dependency would bring what the page does
 * without.
 * @param {string} dist
 */
const copyScalar = (dist) => {
  const folder = join(root, dist, 'interface/openapi/scalar')
  const source = join(root, 'node_modules/@scalar/fastify-api-reference')
  mkdirSync(folder, { recursive: true })
  copyFileSync(join(source, 'dist/js/standalone.js'), join(folder, 'standalone.cjs'))
  copyFileSync(join(source, 'LICENSE'), join(folder, 'LICENSE'))
}

/**
 * Builds an app's pages into the service, which serves them.
 * @param {'console' | 'pay'} app
 * @param {string} dist
 * @param {AbortSignal} [signal]
 */
const buildPages = (app, dist, signal) =>
  runTool('vite/bin/vite.js', ['build', '--outDir', join(root, dist, `${app}App`)], {
    cwd: join(root, app),
    signal,
    env: production,
  })

/** @param {number} pid */
const isRunning = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is running, and another clone owns it.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Removes the drafts of builds that were ended before they could do so themselves.
 * @param {string} folder where they lie
 */
export const removeStaleDrafts = (folder) => {
  for (const name of readdirSync(folder)) {
    const pid = /^dist\.(\d+)(\.old)?$/.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/**
 * Compiles a project beside its last build and then swaps the two, so that a running process never sees a
 * partial build.
 * @param {string} folder of the project, from the root
 * @param {AbortSignal} [signal]
 * @param {(dist: string) => void | Promise<void>} [complete] adds what is not compiled
 */
const compile = async (folder, signal, complete) => {
  const [dist, draft, old] = ['dist', `dist.${process.pid}`, `dist.${process.pid}.old`].map((name) =>
    join(folder, name),
  )
  if (!dist || !draft || !old) return
  removeStaleDrafts(join(root, folder))
  try {
    await runTool(tsc, ['-p', join(folder, 'tsconfig.build.json'), '--outDir', draft], { signal })
    copyAssets(join(folder, 'src'), draft)
    await complete?.(draft)
    if (existsSync(join(root, dist))) renameSync(join(root, dist), join(root, old))
    renameSync(join(root, draft), join(root, dist))
  } finally {
    for (const name of [draft, old]) rmSync(join(root, name), { recursive: true, force: true })
  }
}

/** What is built, in this order: each with what it is made from and a file that shows it is there. */
const targets = [
  {
    name: 'library',
    inputs: [...common, 'src'],
    proof: 'dist/index.js',
    build: (/** @type {AbortSignal | undefined} */ signal) => compile('.', signal),
  },
  {
    name: 'service',
    inputs: [
      ...common,
      'src',
      'console',
      'pay',
      'service/src',
      'service/package.json',
      'service/tsconfig.build.json',
    ],
    proof: 'service/dist/payApp/index.html',
    build: (/** @type {AbortSignal | undefined} */ signal) =>
      compile('service', signal, async (dist) => {
        copyScalar(dist)
        await buildPages('console', dist, signal)
        await buildPages('pay', dist, signal)
      }),
  },
  {
    name: 'storefront',
    inputs: [...common, 'src', 'examples/next', 'stories/checkout/examples'],
    proof: 'examples/next/.next/BUILD_ID',
    build: (/** @type {AbortSignal | undefined} */ signal) =>
      runTool('next/dist/bin/next', ['build'], {
        cwd: join(root, 'examples/next'),
        signal,
        env: production,
      }),
  },
]

/**
 * Keeps a stamp for each build in a file: the hash of the build's inputs, and when it wrote its proof. So a build that
 * another command has replaced, such as `next build`, is not current.
 * @param {string} path
 */
export const createStamps = (path) => {
  /** @returns {Record<string, string>} */
  const read = () => {
    try {
      return JSON.parse(readFileSync(path, 'utf8'))
    } catch {
      return {}
    }
  }
  const stamp = (/** @type {string} */ hash, /** @type {string} */ proof) => {
    const written = statSync(proof, { throwIfNoEntry: false })
    return written && `${hash} ${written.mtimeMs}`
  }
  return {
    /**
     * Whether the last build was made from these inputs and is still in place.
     * @param {string} name of the build
     * @param {string} hash over its inputs
     * @param {string} proof a file that it writes
     */
    isCurrent(name, hash, proof) {
      const current = stamp(hash, proof)
      return current !== undefined && read()[name] === current
    },
    /**
     * Stores the stamp of a build that has just ended.
     * @param {string} name
     * @param {string} hash
     * @param {string} proof
     */
    keep(name, hash, proof) {
      // Another process may have stored a stamp meanwhile.
      writeFileSync(path, `${JSON.stringify({ ...read(), [name]: stamp(hash, proof) }, null, 2)}\n`)
    },
  }
}

/**
 * Builds what changed since it was last built.
 * @param {string[]} [names] all of it unless named
 * @param {AbortSignal} [signal]
 */
export const build = async (names = targets.map(({ name }) => name), signal) => {
  const stamps = createStamps(join(privateDir(stateDir), 'build.json'))
  for (const { name, inputs, proof, build: make } of targets.filter((target) =>
    names.includes(target.name),
  )) {
    const hash = hashInputs(inputs)
    const proofPath = join(root, proof)
    if (stamps.isCurrent(name, hash, proofPath)) {
      skipped(`${name} build`, 'unchanged')
      continue
    }
    await step(`${name} build`, () => make(signal))
    stamps.keep(name, hash, proofPath)
  }
}
