import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findPort } from '../../scripts/lib/ports.mjs'

const installed = '/usr/lib/postgresql'
const bouncer = '/usr/sbin/pgbouncer'
/** Neither program runs as root. */
const nobody = 65_534
const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

/** Finds the server's programs. The package from npm has no `pg_basebackup`. */
const findPrograms = (): string => {
  const versions = existsSync(installed) ? readdirSync(installed) : []
  const bin = versions
    .map((version) => join(installed, version, 'bin'))
    .find((path) => existsSync(join(path, 'pg_basebackup')))
  if (bin && existsSync(bouncer)) return bin
  throw new Error('This bench needs PostgreSQL and PgBouncer: apt-get install postgresql pgbouncer')
}

/** A primary with a synchronous standby, and PgBouncer in front of them. */
export type Cluster = {
  /** The database through PgBouncer, which gives a connection to each transaction. */
  url: string
  /** The database through PgBouncer, with a connection of its own. */
  directUrl: string
  /** Kills the primary. */
  killPrimary(): void
  /** Makes the standby the primary, and PgBouncer use it. */
  promote(): Promise<void>
  /** The server that is the primary now. */
  primaryUrl(): string
  stop(): Promise<void>
}

/** Starts the cluster, empty. What the primary commits, the standby has on its disk. */
export const startCluster = async (): Promise<Cluster> => {
  const bin = findPrograms()
  const home = mkdtempSync(join(tmpdir(), 'kassa-cluster-'))
  chmodSync(home, 0o755)
  if (owner.uid !== undefined) chownSync(home, owner.uid, owner.gid)
  const running: ChildProcess[] = []
  const stop = async (): Promise<void> => {
    for (const child of running) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const exited = once(child, 'exit')
      child.kill('SIGQUIT')
      await exited
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
  const call = (program: string, ...args: string[]): void => {
    const { status, stderr, error } = spawnSync(join(bin, program), args, {
      ...owner,
      cwd: home,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`)
  }
  const start = (path: string, ...args: string[]): ChildProcess => {
    const child = spawn(path, args, { ...owner, cwd: home, stdio: 'ignore' })
    running.push(child)
    return child
  }
  const urlOf = (port: number, database: string): string => `postgres://kassa@127.0.0.1:${port}/${database}`
  const query = async (port: number, text: string): Promise<void> => {
    for (let tries = 0; ; tries++) {
      const client = new pg.Client(urlOf(port, 'postgres'))
      client.on('error', () => {})
      try {
        await client.connect()
        await client.query(text)
        return
      } catch (error) {
        if (tries >= 100) throw error
        await sleep(100)
      } finally {
        await client.end().catch(() => {})
      }
    }
  }
  const startServer = (data: string, port: number): ChildProcess =>
    start(join(bin, 'postgres'), '-D', data, '-p', `${port}`, '-k', home, '-c', 'listen_addresses=127.0.0.1')

  try {
    const [primaryData, standbyData] = [join(home, 'primary'), join(home, 'standby')]
    const primaryPort = await findPort(5_500)
    const standbyPort = await findPort(primaryPort + 1)
    const poolPort = await findPort(standbyPort + 1)
    call('initdb', '-D', primaryData, '-U', 'kassa', '-A', 'trust', '-E', 'UTF8', '--locale=C')
    const primary = startServer(primaryData, primaryPort)
    await query(primaryPort, 'create database kassa')
    const source = `host=127.0.0.1 port=${primaryPort} user=kassa application_name=standby`
    call('pg_basebackup', '-D', standbyData, '-R', '-X', 'stream', '-d', source)
    startServer(standbyData, standbyPort)
    await query(standbyPort, 'select 1')
    await query(primaryPort, `alter system set synchronous_standby_names = 'standby'`)
    await query(primaryPort, 'select pg_reload_conf()')

    const settings = join(home, 'pgbouncer.ini')
    const writeSettings = (port: number): void =>
      writeFileSync(
        settings,
        [
          '[databases]',
          `kassa = host=127.0.0.1 port=${port} dbname=kassa user=kassa`,
          `kassa_direct = host=127.0.0.1 port=${port} dbname=kassa user=kassa pool_mode=session`,
          '[pgbouncer]',
          `listen_addr = 127.0.0.1`,
          `listen_port = ${poolPort}`,
          'auth_type = any',
          'pool_mode = transaction',
          'default_pool_size = 16',
          'max_client_conn = 500',
          'server_connect_timeout = 2',
          'server_login_retry = 1',
          'ignore_startup_parameters = extra_float_digits,statement_timeout',
          '',
        ].join('\n'),
      )
    writeSettings(primaryPort)
    const pool = start(bouncer, settings)
    await query(poolPort, 'select 1').catch(() => {})
    let current = primaryPort
    return {
      url: urlOf(poolPort, 'kassa'),
      directUrl: urlOf(poolPort, 'kassa_direct'),
      killPrimary: () => void primary.kill('SIGKILL'),
      promote: async () => {
        call('pg_ctl', 'promote', '-D', standbyData, '-w')
        // It has no standby of its own to wait for.
        await query(standbyPort, 'alter system reset synchronous_standby_names')
        await query(standbyPort, 'select pg_reload_conf()')
        writeSettings(standbyPort)
        pool.kill('SIGHUP')
        current = standbyPort
      },
      primaryUrl: () => urlOf(current, 'kassa'),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
