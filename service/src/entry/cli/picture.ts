import { readFile, stat } from 'node:fs/promises'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { maxUploadMiB, uploadFile } from '#goods/files/uploadFile.js'
import { UsageError } from './UsageError.js'

const inlined = 'data:;base64,'

/** Whether a picture is given by its URL. A single letter is a drive of Windows. */
const isUrl = (image: string): boolean => /^[a-z]{2,}:/i.test(image)

const inline = async (path: string): Promise<string> => {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new UsageError(`--image: there is no file ${path}`)
  if (found.size > maxUploadMiB * 1024 * 1024)
    throw new UsageError(`--image: ${path} is larger than ${maxUploadMiB} MiB`)
  return `${inlined}${(await readFile(path)).toString('base64')}`
}

/**
 * Replaces the path in `--image` with the file itself. The process that the operator started reads it, because the
 * service that may execute the command runs in another folder, and possibly sees other files.
 *
 * @throws {@link UsageError} if there is no such file, or it is too large.
 */
export const inlinePicture = (args: readonly string[]): Promise<string[]> =>
  Promise.all(
    args.map(async (arg, at) => {
      const [, joined] = /^--image=(.*)$/s.exec(arg) ?? []
      const image = args[at - 1] === '--image' ? arg : joined
      if (!image || isUrl(image)) return arg
      const url = await inline(image)
      return joined === undefined ? url : `--image=${url}`
    }),
  )

/** Stores the picture of an inlined file, and returns its URL. Any other URL stays as it is. */
export const storePicture = async (
  deps: Pick<Deps, 'config' | 'storage'>,
  call: Call,
  image: string | undefined,
): Promise<string | undefined> => {
  if (!image?.startsWith(inlined)) return image
  return (await uploadFile(deps, call, Buffer.from(image.slice(inlined.length), 'base64'))).url
}
