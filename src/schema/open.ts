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

/**
 * Creates a reader of an object that may grow: keeps fields that it does not know.
 *
 * @returns A schema whose type has the known fields alone, so that a mistyped one does not compile.
 */
export const openObject = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodMiniObject<Shape, z.core.$strip> =>
  // The cast is deliberate: only the type lacks the other fields.
  z.looseObject(shape) as unknown as z.ZodMiniObject<Shape, z.core.$strip>

/** Fields of an answer that few pages need: their own readers check them, so that not every page loads these. */
export type Unread<Name extends string> = { [Key in Name]: z.ZodMiniOptional<z.ZodMiniUnknown> }
