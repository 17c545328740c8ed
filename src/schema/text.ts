import * as z from 'zod/mini'

/** Non-empty text of at most `most` characters. */
export const text = (most: number) =>
  z.string().check(
    z.refine((value) => value.trim() !== '', { error: 'must not be empty', abort: true }),
    z.maxLength(most, `expected ${most} characters or fewer`),
  )

/** Invisible characters, and those that change the writing direction: control, bidi and zero-width ones. Joiners are allowed. */
const hidden = /[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/u
const hiddenInLines = /(?![\t\n\r])[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu

/** Whether a text is one line that reads the same everywhere. */
export const isVisible = (value: string): boolean => !hidden.test(value)

/** Removes what {@link isVisible} refuses from a stranger's text, except for tabs and the ends of lines. */
export const dropHidden = (value: string): string => value.replace(hiddenInLines, '')
const invisible = 'must not contain control or invisible characters'

/** A name: one line of text that reads the same everywhere. */
export const nameText = (most: number) => text(most).check(z.refine(isVisible, invisible))

/** What mail programs turn into a link or an address: `https://…`, `www.…`, `shop.example`, `ada@…`. */
const linkLike = /:\/\/|@|\bwww\.|[\p{L}\p{N}]\.\p{L}{2}/iu

/**
 * A buyer's text to another person, in one or more lines. It may not contain links, because the shop's own address
 * sends it.
 */
export const sentText = (most: number) =>
  text(most).check(
    z.refine((value) => isVisible(value.replace(/\r?\n/g, ' ')), invisible),
    z.refine((value) => !linkLike.test(value), 'must not contain links or addresses'),
  )

/** The address of a picture, a film or another file of a token's metadata. */
export const FileUrl = z
  .string()
  .check(
    z.regex(
      /^(https?|ipfs|ar):\/\/[^\s"<>\\^`{|}]+$/i,
      'expected an https://, http://, ipfs:// or ar:// URL',
    ),
    z.maxLength(2048, 'expected 2048 characters or fewer'),
  )
export type FileUrl = z.infer<typeof FileUrl>
