import * as z from 'zod/mini'

/** A member of a list this version knows, or a string that a newer service sent. */
export type Open<Member extends string> = Member | (string & Record<never, never>)

/**
 * A reader for an enumeration that may grow: keeps unknown members instead of failing on them. The published
 * OpenAPI document lists the known members.
 *
 * @param members - The members this version knows.
 * @returns A schema whose output autocompletes the known members and admits any string.
 */
export const open = <const Member extends string>(
  members: readonly Member[],
): z.ZodMiniType<Open<Member>> => {
  const schema = z.string().register(z.globalRegistry, { enum: [...members] })
  // A cast on purpose: every string is an Open<Member>; the members only serve autocompletion and narrowing.
  return schema as unknown as z.ZodMiniType<Open<Member>>
}
