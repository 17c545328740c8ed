import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/**
 * Listens on a dedicated connection and reconnects after the server was away. Notifications sent meanwhile
 * are lost, so one may only speed up what polling would find.
 */
export const listenOnPostgres = async (
  connectionString: string,
  channel: string,
  onNotification: (payload: string) => void,
  onError: (error: unknown) => void,
): Promise<() => Promise<void>> => {
  let isClosed = false
  let client: pg.Client | undefined

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString, application_name: 'kassa-listen' })
    next.on('notification', ({ payload }) => onNotification(payload ?? ''))
    next.on('error', onError)
    await next.connect()
    await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    next.once('end', () => void reconnect())
    client = next
  }
  const reconnect = async (): Promise<void> => {
    client = undefined
    while (!isClosed && !client) {
      await sleep(1_000, undefined, { ref: false })
      if (!isClosed) await connect().catch(onError)
    }
  }

  await connect()
  return async () => {
    isClosed = true
    await client?.end()
  }
}
