import type { ApiKey } from 'kassa/schema'
import { shorten } from '../lib/format.js'
import { t } from '../messages/index.js'

/** Returns what people call a key; one without a name goes by its id. */
export const nameKey = ({ name, keyId }: ApiKey): string => name ?? t.keys.unnamed(shorten(keyId))
