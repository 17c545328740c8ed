import * as z from 'zod/mini'

/** Non-empty text of at most `most` characters. */
export const text = (most: number) =>
  z.string().check(
    z.refine((value) => value.trim() !== '', { error: 'must not be empty', abort: true }),
    z.maxLength(most, `expected ${most} characters or fewer`),
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
