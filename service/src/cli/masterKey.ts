import { parseArgs } from 'node:util'
import { countSecrets } from '../keys/countSecrets.js'
import { rotateMasterKey } from '../keys/rotateMasterKey.js'
import { formatJson, formatTable } from './formatTable.js'
import type { Command, Group } from './group.js'
import { withSecrets } from './withSecrets.js'

const json = { type: 'boolean', default: false } as const

const list: Command = async (args, context) => {
  const { values } = parseArgs({ args, options: { json } })
  const keys = await withSecrets(context, async ({ db, vault }) => {
    const uses = await countSecrets(db)
    const present = { keyId: vault.keyId, wallets: 0, webhookSecrets: 0 }
    const all = uses.some(({ keyId }) => keyId === vault.keyId) ? uses : [...uses, present]
    return all
      .map((use) => ({ ...use, isPresent: use.keyId === vault.keyId }))
      .sort((a, b) => Number(b.isPresent) - Number(a.isPresent))
  })
  const rows = keys.map((key) => [
    key.keyId,
    key.isPresent ? 'yes' : 'no',
    String(key.wallets),
    String(key.webhookSecrets),
  ])
  const table = [['id', 'present', 'wallets', 'webhook secrets'], ...rows]
  context.out(values.json ? formatJson(keys) : formatTable(table))
  return 0
}

/** Exits with status 1 as long as any secret is under another key, or under an unknown one. */
const rotate: Command = async (args, context) => {
  const { values } = parseArgs({ args, options: { json } })
  const rotation = await withSecrets(context, rotateMasterKey)
  if (values.json) context.out(formatJson(rotation))
  else {
    const { wallets, webhookSecrets, keyId, retired, remaining, failed } = rotation
    context.out(`${wallets} wallets and ${webhookSecrets} webhook secrets are newly under ${keyId}.\n`)
    for (const id of retired) context.out(`Nothing is under ${id} any more: it may go.\n`)
    for (const id of remaining) context.err(`Something is still under ${id}: it has to stay.\n`)
    for (const id of failed) context.err(`${id} could not be opened, and was left as it is.\n`)
    if (remaining.length && !failed.length) {
      context.err(
        'A service still writes under an earlier key: start all with the new one, then run this again.\n',
      )
    }
  }
  return rotation.remaining.length || rotation.failed.length ? 1 : 0
}

/** `kassa-service master-key …`. */
export const masterKey: Group = {
  help: `
  kassa-service master-key list [--json]
      List the master keys that anything is encrypted under, by their ids, and how much; the present one, which is
      KASSA_MASTER_KEY, comes first.

  kassa-service master-key rotate [--json]
      Bring everything that is under one of KASSA_OTHER_MASTER_KEYS under KASSA_MASTER_KEY, while services run, and
      say which key may go. Run it again when it was interrupted. Ends with status 1 while one has to stay.
`,
  commands: { list, rotate },
}
