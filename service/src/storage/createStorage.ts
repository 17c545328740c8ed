import { eq } from 'drizzle-orm'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'
import type { Database } from '../db/database.js'
import { files } from '../db/tables/index.js'
import { ServiceError } from '../errors.js'
import type { Storage } from './port.js'

/** Up to here a content is one IPFS block, and its CID the hash of the bytes themselves. */
const blockLimitBytes = 1024 * 1024

/** Keeps contents in the database under their IPFS content identifiers. */
export const createStorage = (db: Database): Storage => ({
  put: async (bytes, contentType) => {
    if (bytes.length > blockLimitBytes)
      throw new ServiceError('body-too-large', 'A file may have 1 MiB at most')
    const cid = CID.createV1(raw.code, await sha256.digest(bytes)).toString()
    await db.insert(files).values({ cid, contentType, bytes }).onConflictDoNothing()
    return cid
  },
  get: async (cid) => {
    // Anything else is in no database, and some of it the database would refuse to look for.
    if (!/^b[a-z2-7]{1,100}$/.test(cid)) return undefined
    const [file] = await db
      .select({ bytes: files.bytes, contentType: files.contentType })
      .from(files)
      .where(eq(files.cid, cid))
    return file
  },
})
