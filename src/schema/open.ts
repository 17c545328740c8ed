import * as z from 'zod/mini'

/** A known member of a list, or any other string: completes the members, and refuses none. */
export type Open<Member extends string> = Member | (string & Record<never, never>)

/** A string of a newer service, which is no known member of its list. TypeScript takes no literal for one. */
export type UnknownMember = `${string & { readonly isUnknownMember: true }}`

/** A known member of a list, or a string that a newer service sent. A mistyped literal does not compile. */
export type Known<Member extends string> = Member | UnknownMember

/**
 * Creates a reader for an enumeration that may grow: keeps unknown members instead of failing on them.
 *
 * @returns A schema whose output refuses literals that are no members, and admits any string at run time.
 */
export const known = <Member extends string>(): z.ZodMiniType<Known<Member>> =>
  // The cast is deliberate: only the type tells the members from other strings.
  z.string() as unknown as z.ZodMiniType<Known<Member>>
