import { loadMessages } from '../../messages'
import type { Namespace } from '../../messages/Messages'
import { createTranslate, type Translate } from './createTranslate'
import { getLanguage } from './getLanguage'

/** Returns a function that says the sentences of one group in the language of the page that is requested. */
export const getTranslate = async <const Name extends Namespace>(
  namespace: Name,
): Promise<Translate<Name>> => {
  const language = await getLanguage()
  return createTranslate(language, await loadMessages(language), namespace)
}
