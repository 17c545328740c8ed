import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import purchase from '../../../purchase/purchase.webp'
import { DiagramFigure } from '../../DiagramFigure.js'
import { LiveCheckout } from '../../LiveCheckout.js'
import './theme.css'

const alt =
  'A purchase in the example shop: an edition is chosen, a wallet connected, the payment confirmed, the edition delivered'

const film = () => h('img', { class: 'film', src: purchase, alt, width: 960, height: 675 })

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-image': film }),
  enhanceApp: ({ app }) => {
    app.component('DiagramFigure', DiagramFigure)
    app.component('LiveCheckout', LiveCheckout)
  },
} satisfies Theme
