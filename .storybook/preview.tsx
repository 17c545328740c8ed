import type { Preview } from '@storybook/react-vite'
import { loadMessages, type Messages } from 'kassa/locales'
import { members } from 'kassa/schema'
import { addPartArgTypes } from './addPartArgTypes.js'
import { DocsPage } from './DocsPage.js'
import { readDocumentation, toMarkdown } from './documentation.js'
import { inLocale } from './inLocale.js'
import '../stories/stories.css'

const languages = new Intl.DisplayNames('en', { type: 'language' })

export default {
  tags: ['autodocs'],
  initialGlobals: { theme: 'light', locale: 'en-US', direction: 'ltr' },
  globalTypes: {
    theme: {
      description: 'Theme of the page around the parts',
      toolbar: {
        title: 'Theme',
        items: [
          { value: 'light', title: 'Light', icon: 'sun' },
          { value: 'dark', title: 'Dark', icon: 'moon' },
        ],
        dynamicTitle: true,
      },
    },
    locale: {
      description: 'Language of the order, and of what the parts say',
      toolbar: {
        title: 'Language',
        icon: 'globe',
        items: members.locales.map((value) => ({ value, title: languages.of(value) ?? value, right: value })),
        dynamicTitle: true,
      },
    },
    direction: {
      description: 'Direction of writing',
      toolbar: {
        title: 'Direction',
        items: [
          { value: 'ltr', title: 'Left to right', icon: 'arrowright' },
          { value: 'rtl', title: 'Right to left', icon: 'arrowleft' },
        ],
        dynamicTitle: true,
      },
    },
  },
  argTypesEnhancers: [addPartArgTypes],
  parameters: {
    layout: 'fullscreen',
    // A violation found by axe fails the story's test.
    a11y: { test: 'error' },
    controls: { disable: true },
    docs: {
      page: DocsPage,
      extractComponentDescription: (component: unknown) => toMarkdown(readDocumentation(component).comment),
    },
    options: {
      storySort: {
        order: [
          'Checkout',
          [
            'The whole',
            'Panel',
            'Through time',
            'Purchase',
            'Behaviour',
            'Order states',
            'Pay steps',
            'Pay errors',
          ],
          'Parts',
          ['All parts'],
        ],
      },
    },
  },
  // The fixtures speak English; another language is loaded as an app would load it.
  loaders: [
    async ({ globals }): Promise<{ messages: Messages | undefined }> => ({
      messages: globals.locale === 'en-US' ? undefined : await loadMessages(globals.locale),
    }),
  ],
  decorators: [
    (Story, context) => {
      const { globals, loaded } = context
      if (!loaded.messages) return <Story />
      // Written to the context, because a decorator hands on arguments and not parameters.
      context.parameters = inLocale(context.parameters, globals.locale, loaded.messages)
      return <Story args={inLocale(context.args, globals.locale, loaded.messages)} />
    },
    (Story, { globals }) => (
      <div className="stage" data-theme={globals.theme} dir={globals.direction} lang={globals.locale}>
        <Story />
      </div>
    ),
  ],
} satisfies Preview
