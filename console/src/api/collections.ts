import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getCollection, listCollections, listNfts, uploadFile } from 'kassa/api'
import { client, uploadClient } from './console.js'
import { perPage } from './developers.js'

/** The collections of the project, newest first. */
export const collectionsQuery = (page: number) =>
  queryOptions({
    queryKey: ['collections', page],
    queryFn: ({ signal }) => listCollections(client, { page, perPage, signal }),
    placeholderData: keepPreviousData,
  })

/** A collection, read again now and then, because its tokens are sold meanwhile. */
export const collectionQuery = (collectionId: string) =>
  queryOptions({
    queryKey: ['collection', collectionId],
    queryFn: ({ signal }) => getCollection(client, { collectionId, signal }),
    refetchInterval: 15_000,
  })

/** The tokens of a collection, newest first, read again while some are on their way. */
export const tokensQuery = (collectionId: string, page: number) =>
  queryOptions({
    queryKey: ['collection', collectionId, 'tokens', page],
    queryFn: ({ signal }) => listNfts(client, { collectionId, page, perPage, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.some(({ onChain }) => onChain.status === 'pending') ? 2_000 : 15_000,
  })

/** Uploads a picture if a file is given, and returns its URL, or else the given one. */
export const storePicture = async (url: string, file: File | undefined): Promise<string> =>
  file ? (await uploadFile(uploadClient, { file })).url : url.trim()
