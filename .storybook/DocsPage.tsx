import { Controls, Description, Primary, Stories, Title } from '@storybook/addon-docs/blocks'

/** A part's page: what it is, how it looks, what it takes, to be tried, and what it says of its state, and every state. */
export function DocsPage() {
  return (
    <>
      <Title />
      <Description />
      <Primary />
      <Controls />
      <Stories />
    </>
  )
}
