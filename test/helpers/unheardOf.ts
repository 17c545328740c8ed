import type { UnknownMember } from '../../src/schema/index.js'

/** Returns a status that only a newer service has. */
export const unheardOf = (status: string) => status as UnknownMember
