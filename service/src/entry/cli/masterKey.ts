import { parseArgs } from 'node:util'
import { countSecrets } from '#identity/keys/countSecrets.js'
import { rotateMasterKey } from '#identity/keys/rotateMasterKey.js'
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
    context.out(`Re-encrypted ${wallets} wallets and ${webhookSecrets} webhook secrets under ${keyId}.\n`)
    for (const id of retired) context.out(`${id} is no longer used. You may remove it.\n`)
    for (const id of remaining) context.err(`${id} is still used. Keep it.\n`)
    for (const id of failed) context.err(`${id} could not be decrypted and was not changed.\n`)
    if (remaining.length && !failed.length) {
      context.err(
        'A service still writes with an earlier key. Restart every service with the new key, then run this again.\n',
      )
    }
  }
  return rotation.remaining.length || rotation.failed.length ? 1 : 0
}

/** `kassa-service master-key …`. */
export const masterKey: Group = {
  help: `
  kassa-service master-key list [--json]
      List the ids of the master keys in use, and how many secrets are encrypted under each. The current key,
      KASSA_MASTER_KEY, comes first.

  kassa-service master-key rotate [--json]
      Encrypt under KASSA_MASTER_KEY all that is encrypted under one of KASSA_OTHER_MASTER_KEYS, and print which of
      those you may remove. Services may run meanwhile. If it is interrupted, run it again. Ends with status 1 if a
      key is still needed.
`,
  commands: { list, rotate },
}
