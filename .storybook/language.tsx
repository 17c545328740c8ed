import type { Decorator, Loader } from '@storybook/react-vite'
import { loadMessages, type Messages } from 'kassa/locales'
import { inLocale } from './inLocale.js'

/** Loads a language as an app would load it. The fixtures speak English. */
export const loadLanguage: Loader = async ({ globals }): Promise<{ messages: Messages | undefined }> => ({
  messages: globals.locale === 'en-US' ? undefined : await loadMessages(globals.locale),
})

/** Tells a story in the language that was loaded. */
export const withLanguage: Decorator = (Story, context) => {
  const { globals, loaded } = context
  if (!loaded.messages) return <Story />
  // Written to the context, because a decorator hands on arguments and not parameters.
  context.parameters = inLocale(context.parameters, globals.locale, loaded.messages)
  return <Story args={inLocale(context.args, globals.locale, loaded.messages)} />
}
