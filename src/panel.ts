// An entry of its own: of a file that is loaded later, esbuild separates what it shares with any page of the entry.
export * from './components/checkout/LatePanel.js'
