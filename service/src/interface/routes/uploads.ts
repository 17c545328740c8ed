import { StoredFile } from 'kassa/schema'
import { uploadFile } from '#goods/files/uploadFile.js'
import { defineRoute, type Route } from './route.js'

/** Operations on files. */
export const uploadRoutes: readonly Route[] = [
  defineRoute('uploadFile', {
    summary: 'Upload a picture',
    description:
      'Stores a PNG, JPEG, GIF, WebP, AVIF or SVG picture of at most 20 MiB under its IPFS address, for `imageUrl` of a collection and `image` of a token. The bytes decide what it is. The same picture again has the same address.',
    isUpload: true,
    answer: { status: 200, schema: StoredFile, description: 'The stored picture' },
    refusals: ['input-invalid', 'body-too-large'],
    run: (deps, call, { file }) => uploadFile(deps, call, file ?? new Uint8Array()),
  }),
]
