import * as z from 'zod/mini'

/** A known member of a list, or a string that a newer service sent. */
export type Open<Member extends string> = Member | (string & Record<never, never>)

/**
 * A reader for an enumeration that may grow: keeps unknown members instead of failing on them.
 *
 * @returns A schema whose output autocompletes the members of the list and admits any string.
 */
export const open = <Member extends string>(): z.ZodMiniType<Open<Member>> =>
  // The cast is deliberate: every string is an Open<Member>, and the members only serve autocompletion and
  // narrowing.
  z.string() as unknown as z.ZodMiniType<Open<Member>>
