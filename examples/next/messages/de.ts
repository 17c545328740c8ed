/** The shop's sentences in German. */
import type { Messages } from './Messages'

export const messages: Messages = {
  shop: {
    title: 'Recto: digitale Editionen',
    description:
      'Bilder in kleinen digitalen Editionen, aus Ihrer eigenen Wallet bezahlt und dorthin geliefert.',
    claim: 'Bilder in kleinen digitalen Editionen',
    claimDetail: 'Aus Ihrer eigenen Wallet bezahlt und dorthin geliefert',
    cardAlt: 'Recto: Bilder in kleinen digitalen Editionen',
    skip: 'Zum Inhalt springen',
    navigation: 'Shop',
    editions: 'Editionen',
    how: 'So funktioniert’s',
    wallet: 'Ihre Wallet',
    sandbox:
      '<strong>Dies ist eine Sandbox.</strong> Die Netzwerke laufen nur zum Testen: Das Guthaben ist kostenlos, und nichts hier kostet Geld.',
    charged: 'Bezahlt wird auf dem Netzwerk, das bei der jeweiligen Edition steht.',
    mailbox: 'Postfach der Sandbox',
    kassa: 'Checkout von Kassa',
    language: 'Sprache',
    setLanguage: 'Sprache einstellen',
  },

  home: {
    lead: 'In einer Minute gekauft, in Ihre Wallet geliefert und in einem öffentlichen Register als Ihr Eigentum geführt.',
    onSale: '{count, plural, other {# erhältlich}}',
    choose: 'Auswählen',
    chooseText:
      'Jede Edition ist ein Bild in begrenzter Stückzahl. Während Sie bestellen, wird der Preis für Sie festgehalten.',
    pay: 'Aus Ihrer Wallet bezahlen',
    payText:
      'Ohne Konto und ohne Karte. Sie sehen den genauen Betrag, bevor Sie ihn in Ihrer eigenen Wallet bestätigen.',
    own: 'Es gehört Ihnen',
    ownText:
      'Ihr nummeriertes Exemplar kommt meist innerhalb einer Minute in Ihrer Wallet an, mit einem Beleg, auf dem es steht.',
    nothing:
      'Zurzeit ist nichts erhältlich. Neue Editionen erscheinen hier, sobald sie veröffentlicht werden.',
    seeHow: 'Ablauf ansehen',
    series: 'Je ein Exemplar',
    seriesAll:
      '{count, plural, one {# Edition} other {Alle # Editionen}} in einer Bestellung, mit einer einzigen Zahlung.',
    seriesSome:
      '{count, plural, one {Die # Edition} other {Die # Editionen}} für {wallet}-Wallets in einer Bestellung, mit einer einzigen Zahlung.',
  },

  stock: {
    open: 'Offene Edition',
    soldOut: 'Ausverkauft',
    left: '{count, plural, other {Noch # von {limit, number} verfügbar}}',
    limited: 'Auflage: {limit, number}',
  },

  edition: {
    cardAlt: 'Das Bild der Edition, ihr Name und ihr Preis',
    cardTitle: '{name}, {price}',
    description: '{name}, eine digitale Edition von Recto.',
    breadcrumb: 'Navigationspfad',
    all: 'Alle Editionen',
    unavailable: 'Diese Edition kann zurzeit nicht gekauft werden.',
    edition: 'Auflage',
    openNumber: 'Offen, ohne feste Stückzahl',
    number: '{count, plural, one {# Exemplar insgesamt} other {# Exemplare insgesamt}}',
    network: 'Netzwerk',
    token: 'Token',
    tokenKind: '{standard}, einer pro Bild',
    payment: 'Zahlung',
    delivery: 'Lieferung',
    deliveryTo: 'An Ihre Wallet oder eine E-Mail-Adresse',
    sale: 'Verkauf',
    opens: 'Beginnt am {date}',
    codes: 'Einen Gutscheincode geben Sie an der Kasse ein',
  },

  buy: {
    quantity: 'Anzahl',
    left: '{count, plural, other {Noch # verfügbar}}',
    less: 'Eins weniger',
    more: 'Eins mehr',
    buy: 'Für {amount} kaufen',
    opening: 'Kasse wird geöffnet\u00a0…',
    next: 'Als Nächstes wählen Sie, wie Sie bezahlen, und bestätigen den genauen Betrag in Ihrer Wallet.',
    nextWorth:
      'Etwa {worth}. Als Nächstes wählen Sie, wie Sie bezahlen, und bestätigen den genauen Betrag in Ihrer Wallet.',
    soldOut: '{name} ist ausverkauft.',
    others: 'Andere Editionen ansehen',
    series: 'Ganze Serie kaufen',
    notOnSale: 'Diese Edition ist nicht mehr erhältlich.',
    chooseQuantity: 'Wählen Sie eine Anzahl von 1 bis {most, number}.',
    tooFew: '{name}: {left, plural, other {noch # verfügbar}}. Wählen Sie höchstens {left, number}.',
    chooseEdition: 'Wählen Sie zuerst eine Edition.',
    tooManyCopies:
      '{most, plural, one {Wählen Sie höchstens # Exemplar auf einmal.} other {Wählen Sie höchstens # Exemplare auf einmal.}}',
    tooManyEditions:
      '{most, plural, one {Wählen Sie höchstens # Edition auf einmal.} other {Wählen Sie höchstens # Editionen auf einmal.}}',
    crowded: 'Der Andrang ist gerade groß. Versuchen Sie es gleich noch einmal.',
    refused: 'Dies konnte nicht bestellt werden: {reason}',
    away: 'Der Dienst des Shops antwortet gerade nicht. Es wurde nichts bestellt; versuchen Sie es in Kürze noch einmal.',
    offline:
      'Sie sind offline. Es wurde nichts bestellt; versuchen Sie es noch einmal, sobald die Verbindung wieder da ist.',
  },

  trouble: {
    awayTitle: 'Der Shop ist nicht erreichbar',
    away: 'Sein Dienst antwortet gerade nicht. Es ist nichts verloren, und es wurde nichts abgebucht; versuchen Sie es in Kürze noch einmal.',
    errorTitle: 'Hier ist etwas schiefgegangen',
    error:
      'Diese Seite konnte nicht angezeigt werden. Eine bereits aufgegebene Bestellung ist nicht betroffen: Öffnen Sie ihre Seite noch einmal, dann geht es an derselben Stelle weiter.',
    notFound: 'Nicht gefunden',
    notFoundTitle: 'Unter dieser Adresse gibt es nichts',
    notFoundText: 'Vielleicht wurde die Edition zurückgezogen, oder der Link enthält einen Tippfehler.',
    tryAgain: 'Erneut versuchen',
    seeEditions: 'Editionen ansehen',
  },

  common: {
    network: 'Netzwerk',
    to: 'An',
    from: 'Von',
    transaction: 'Transaktion <link></link>',
    explorer: '(öffnet den Block-Explorer)',
    copy: 'Kopieren<hidden>: {what}</hidden>',
    copiedWhat: 'Kopiert<hidden>: {what}</hidden>',
    copied: 'Kopiert',
    number: 'Nr.\u00a0{number}',
    email: 'E-Mail-Adresse',
    emailLike: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel {example}.',
    onNetwork: 'auf {network}',
    serviceAway: 'Der Dienst des Shops antwortet gerade nicht. Versuchen Sie es in Kürze noch einmal.',
    openMailbox: 'Postfach der Sandbox öffnen',
  },

  wallets: {
    title: 'Wallet',
    choose: 'Wallet auswählen',
    newAccount: 'Neues Konto',
    change: 'Wallet wechseln',
    finding: 'Ihre Wallet wird gesucht\u00a0…',
    needsJavaScript:
      'Aus einer Wallet zu bezahlen geht nur mit JavaScript. Ihre Bestellung bleibt erhalten: Schalten Sie es ein und kommen Sie zurück.',
    declined: 'Die Verbindung wurde in der Wallet abgelehnt. Wählen Sie eine Wallet, um fortzufahren.',
    failed: 'Die Wallet wurde nicht verbunden. Entsperren Sie sie und wählen Sie sie noch einmal aus.',
    advice: 'Beim Verbinden sieht der Shop Ihre Adresse. Ohne Ihre Bestätigung kann er nichts bewegen.',
    apps: 'Eine Wallet-App auf diesem Telefon?',
    appsText:
      'Sie öffnet diesen Shop in ihrem eigenen Browser, und Sie bestellen dort neu. Diese Bestellung bleibt unbezahlt hier.',
    installed: 'Wallets, die in diesem Browser installiert sind, erscheinen hier von selbst.',
    noSolana:
      'Keine Solana-Wallet in diesem Browser gefunden. Installieren Sie eine oder bezahlen Sie auf einem anderen Netzwerk.',
    demo: 'Demo-Wallet',
    demoText: 'Für Sie in diesem Browser erstellt, mit Testguthaben',
    elsewhere: 'Wallet auf Ihrem Smartphone verbinden',
    found: 'In diesem Browser gefunden',
    ownTitle: 'Eigene Wallet in dieser Sandbox verwenden',
    ownSolana:
      'Die Sandbox betreibt einen eigenen Solana-Cluster. Angezeigt werden Wallets, die „localnet“ unterstützen. Wählen Sie dieses Netzwerk in Ihrer Wallet aus und tragen Sie dessen Adresse (RPC-URL) ein:',
    ownEthereum:
      'Die Sandbox betreibt eigene Kopien dieser Netzwerke. Tragen Sie in Ihrer Wallet die Adresse (RPC-URL) des Netzwerks ein, auf dem Sie bezahlen:',
    chainId: '{network}, Chain-ID {id}',
    localnet: '{network}, localnet',
    fundsSent: 'Testguthaben an {address} gesendet.',
    testFunds: 'Nur Testguthaben',
    confirmPayment: 'Zahlung bestätigen',
    decline: 'Ablehnen',
    confirm: 'Bestätigen',
    unpayableTitle: 'Diese Kasse kann keine Zahlungen annehmen',
    unpayable:
      'Der Dienst nennt kein Netzwerk, auf dem in diesem Shop bezahlt werden kann. Es wurde nichts abgebucht.',
  },

  checkout: {
    title: 'Kasse',
    opening: 'Ihre Bestellung wird geöffnet\u00a0…',
    lostTitle: 'Diese Bestellung kann nicht geöffnet werden',
    lost: 'Der Shop kennt sie nicht mehr, oder sie wurde in einem anderen Browser aufgegeben.',
    outOfReach: 'Ihre Bestellung ist sicher, aber gerade nicht erreichbar',
    keepsAsking: 'Diese Seite versucht es von selbst weiter.',
    tryNow: 'Jetzt versuchen',
    seeEditions: 'Editionen ansehen',
    needsJavaScript:
      'Hierfür wird JavaScript benötigt. Schalten Sie es ein und öffnen Sie den Link noch einmal.',
    otherBrowserTitle: 'Diese Bestellung wurde in einem anderen Browser geöffnet',
    otherBrowser:
      'Eine Bestellung ist nur in dem Browser zu sehen, in dem sie aufgegeben wurde, oder über den Link in der E-Mail mit ihrem Beleg.',
    oldLinkTitle: 'Dieser Link ist nicht mehr gültig',
    oldLink:
      'Ein Link öffnet seine Bestellung 90 Tage lang. Öffnen Sie die Bestellung in dem Browser, in dem sie aufgegeben wurde, und senden Sie sich dort einen neuen Link per E-Mail.',

    checking: 'Zahlung wird geprüft\u00a0…',
    choosePayment: 'Wählen Sie, womit Sie bezahlen: mit einer Wallet oder einem anderen Gerät.',
    ready: 'Bereit zum Bezahlen.',

    payWith: 'Bezahlen mit',
    delivery: 'Lieferung',
    deliverTo: 'Liefern an',
    toThisWallet: 'An diese Wallet',
    toWalletOn: 'An eine Wallet auf {network}',
    toEmail: 'An eine E-Mail-Adresse, als Geschenk oder zum späteren Abholen',
    change: 'Ändern',
    useAddress: 'Diese Adresse verwenden',
    ethereumAddress: 'Ethereum-Adresse',
    solanaAddress: 'Solana-Adresse',
    notEthereum:
      'Dies ist keine Ethereum-Adresse. Eine solche beginnt mit 0x, darauf folgen 40 Zeichen von 0 bis 9 und a bis f.',
    notSolana:
      'Dies ist keine Solana-Adresse. Eine solche hat 32 bis 44 Buchstaben und Ziffern: Kopieren Sie sie aus der Wallet.',
    sayEmail: 'Geben Sie oben an, an welche E-Mail-Adresse geliefert wird.',
    sayWallet: 'Geben Sie oben an, an welche Wallet-Adresse geliefert wird.',

    transfer: 'Von einem anderen Gerät bezahlen',
    transferText: 'Einen Code mit dem Smartphone scannen oder eine Wallet auf diesem Gerät öffnen',
    transferWhere:
      'Eine Wallet auf einem anderen Gerät teilt dieser Seite ihre Adresse nicht mit. Geben Sie deshalb an, wohin die Bestellung geht.',
    awaiting: 'Warten auf Ihre Zahlung… Sobald sie gefunden ist, geht es auf dieser Seite von selbst weiter.',

    order: 'Ihre Bestellung',
    total: 'Gesamtbetrag',
    left: 'Noch zu zahlen',
    networkFee: 'Netzwerkgebühr',
    balance: 'Ihr Guthaben',
    listPrice: 'Sichtbar, sobald eine Wallet verbunden ist',
    inCurrency: 'Vor dem Bezahlen sehen Sie den Betrag in {currency}',
    locked: 'Preis gilt noch <time></time>',
    gettingPrice: 'Ihr Preis wird abgerufen\u00a0…',
    tryAgain: 'Erneut versuchen',
    testFunds: 'Testguthaben abrufen',
    missing: 'Ihrer Wallet fehlen noch {missing}.',
    noTestFunds:
      'Die Sandbox hat kein Testguthaben vergeben, weil ihr Dienst nicht antwortet. Versuchen Sie es gleich noch einmal.',
    looking:
      'Ihre Zahlung wird gesucht. Sobald sie gefunden ist, geht es auf dieser Seite von selbst weiter.',
    payAgain: 'Meine Wallet zeigt keine Zahlung: erneut bezahlen',
    switchTo: 'Zu {network} wechseln',
    chooseCluster: 'Wählen Sie in den Einstellungen Ihrer Wallet {cluster}.',

    soldOut: 'Ausverkauft',
    onlyLeft: '{count, plural, other {Nur noch # verfügbar}}',
    someLeft: 'Nicht alles in dieser Bestellung ist noch verfügbar. Sie haben nichts bezahlt.',
    noneLeft: 'Alles in dieser Bestellung ist ausverkauft. Sie haben nichts bezahlt.',
    nameSoldOut: '{name} ist ausverkauft. Sie haben nichts bezahlt.',
    thisSoldOut: 'Diese Edition ist ausverkauft. Sie haben nichts bezahlt.',
    nameLeft:
      '{name}: {asked, number} gewünscht, {count, plural, other {noch # verfügbar}}. Sie haben nichts bezahlt.',
    buyRest: '{count, plural, other {# kaufen}}',
    openingCheckout: 'Kasse wird geöffnet\u00a0…',
    others: 'Andere Editionen ansehen',

    sent: 'Ihre Zahlung ist gesendet',
    onItsWay: 'Auf dem Weg zu Ihnen',
    paymentLater: 'Zahlung',
    paymentNow: 'Zahlung wird gesendet',
    paymentDone: 'Zahlung gesendet',
    confirmationLater: 'Bestätigung',
    confirmationNow: 'Zahlung wird bestätigt',
    confirmationDone: 'Zahlung bestätigt',
    deliveryLater: 'Lieferung',
    deliveryNow: 'Wird geliefert',
    deliveryDone: 'Geliefert',
    stateLater: '{step}<hidden>, steht noch aus</hidden>',
    stateNow: '{step}<hidden>, läuft gerade</hidden>',
    stateDone: '{step}<hidden>, erledigt</hidden>',
    spedUp: 'In Ihrer Wallet beschleunigt. Diese Seite verfolgt jetzt die neue Transaktion.',
    close: 'Sie können diese Seite schließen und später zurückkommen: Es geht nichts verloren.',
  },

  payment: {
    serviceAway:
      'Der Dienst des Shops antwortet nicht. Ihre Bestellung ist sicher; sobald er wieder antwortet, geht es auf dieser Seite von selbst weiter.',
    tryAgain:
      'Der Dienst des Shops antwortet nicht. Ihre Bestellung ist sicher; versuchen Sie es gleich noch einmal.',
    offline:
      'Sie sind offline. Ihre Bestellung ist sicher; sobald die Verbindung wieder da ist, geht es auf dieser Seite von selbst weiter.',
    conflict:
      'Eine Zahlung für diese Bestellung wurde bereits erkannt, die Bestellung kann daher nicht mehr geändert werden.',
    uncertain:
      'Ihre Wallet hat nicht gesagt, ob sie die Zahlung gesendet hat. Prüfen Sie die Wallet und bezahlen Sie nur erneut, wenn dort keine Zahlung steht.',
    notConfigured: 'Dieser Shop kann auf dem Netzwerk dieser Bestellung keine Zahlungen annehmen.',

    expiredTitle: 'Die Zahlung kam zu spät',
    expired:
      'Das Netzwerk hat sie nicht rechtzeitig angenommen und kann sie nicht mehr annehmen. Es wurde nichts bezahlt; bezahlen Sie erneut.',
    notSponsored:
      'Der Shop konnte die Zahlung nicht senden. Es wurde nichts bezahlt. Beim nächsten Versuch zahlen Sie die Netzwerkgebühr.',
    priceChangedTitle: 'Der Preis hat sich geändert',
    priceChanged:
      'Es wurde nichts gesendet. Ihre Wallet wird erst gefragt, wenn Sie den neuen Preis akzeptieren.',
    prices: '<hidden>Bisher </hidden><old>{from}</old><hidden>, jetzt</hidden> <new>{to}</new>',
    quoteExpiredTitle: 'Der Preis ist abgelaufen',
    quoteExpired: 'Es wurde nichts gesendet. Rufen Sie einen neuen Preis ab, um fortzufahren.',
    orderChangedTitle: 'Die Bestellung wurde geändert',
    orderChanged: 'Es wurde nichts gesendet. Prüfen Sie die Bestellung, bevor Sie bezahlen.',
    rejectedTitle: 'In Ihrer Wallet abgelehnt',
    rejected:
      'Es wurde nichts gesendet. Sie haben die Zahlung abgelehnt; bezahlen Sie, sobald Sie bereit sind.',
    notConnectedTitle: 'Keine Wallet verbunden',
    notConnected: 'Es wurde nichts gesendet. Verbinden Sie eine Wallet und bezahlen Sie dann.',
    wrongAccountTitle: 'In Ihrer Wallet ist ein anderes Konto aktiv',
    wrongAccount:
      'Es wurde nichts gesendet. Wechseln Sie in der Wallet zurück oder fahren Sie mit dem Konto fort, das jetzt verbunden ist.',
    wrongChainTitle: 'In Ihrer Wallet ist ein anderes Netzwerk aktiv',
    wrongChain: 'Es wurde nichts gesendet. Wechseln Sie das Netzwerk und bezahlen Sie dann.',
    fundsTitle: 'Nicht genug {currency}',
    funds: 'Es wurde nichts gesendet. Laden Sie Ihre Wallet auf oder bezahlen Sie mit einer anderen Währung.',
    gasTitle: 'Nicht genug für die Netzwerkgebühr',
    gas: 'Es wurde nichts gesendet. Die Gebühr wird in der eigenen Währung des Netzwerks bezahlt; laden Sie Ihre Wallet mit etwas davon auf.',
    wouldRevertTitle: 'Das Netzwerk würde diese Zahlung ablehnen',
    wouldRevert:
      'Das hat ein Probelauf ergeben, es wurde also nichts gesendet. Versuchen Sie es gleich noch einmal.',
    chainAwayTitle: 'Das Netzwerk antwortet nicht',
    chainAway: 'Es wurde nichts gesendet. Versuchen Sie es gleich noch einmal.',
    otherTabTitle: 'In einem anderen Tab geöffnet',
    otherTab:
      'Diese Bestellung wird in einem anderen Tab bezahlt. Fahren Sie dort fort; dieser hier zieht von selbst nach.',
    vetoedTitle: 'Der Shop hat diese Zahlung zurückgehalten',
    vetoed: 'Es wurde nichts gesendet: {reason}.',
    stoppedTitle: 'Diese Zahlung wurde gestoppt',
    stopped:
      'Was Ihre Wallet ausführen sollte, stimmt nicht mit dieser Bestellung überein. Es wurde nichts gesendet und nichts abgebucht.',
    stoppedAmount: 'Bezahlt worden wären {prepared}, nicht {quoted}.',
    stoppedChain: 'Die Zahlung war für {prepared} bestimmt, nicht für {expected}.',
    stoppedToken: 'Es wäre ein anderer Token als {currency} bewegt worden.',
    stoppedRecipient:
      'Die Zahlung wäre an {recipient} gegangen. Dort nimmt dieser Shop keine Zahlungen entgegen.',
    stoppedCall: 'Die Transaktion tut etwas anderes als bezahlen: {reason}.',
    notPayableTitle: 'Diese Bestellung kann hier nicht bezahlt werden',
    notPayable:
      'Es wurde nichts gesendet. Versuchen Sie es mit einer anderen Währung oder fragen Sie den Shop.',
    uncertainTitle: 'Prüfen Sie zuerst Ihre Wallet',
    uncertainPending:
      'Die Wallet hat nicht gesagt, ob sie die Zahlung gesendet hat. Eine Transaktion Ihres Kontos läuft noch. Das könnte diese Zahlung sein.',
    uncertainText:
      'Die Wallet hat nicht gesagt, ob sie die Zahlung gesendet hat. Sie kann also noch ankommen.',
    askedAt: 'Sie wurde um <clock>{time}</clock> Uhr angefragt.',
    droppedTitle: 'Wir finden Ihre Zahlung nicht im Netzwerk',
    dropped:
      'Sie kann noch ankommen. Prüfen Sie Ihre Wallet und bezahlen Sie nur erneut, wenn nichts gesendet wurde.',
    cancelledTitle: 'Zahlung abgebrochen',
    cancelled: 'Sie haben die Zahlung in Ihrer Wallet abgebrochen und nur die Netzwerkgebühr bezahlt.',
    replacedTitle: 'Eine andere Transaktion hat die Zahlung ersetzt',
    replaced:
      'Ihre Wallet hat statt der Zahlung eine andere Transaktion gesendet, diese Bestellung ist also nicht bezahlt.',
    revertedTitle: 'Das Netzwerk hat die Zahlung abgelehnt',
    reverted: 'Sie haben nur die Netzwerkgebühr bezahlt.',
    walletFailedTitle: 'Ihre Wallet konnte nicht bezahlen',
    walletFailed: 'Prüfen Sie die Wallet: Wenn dort keine Zahlung steht, versuchen Sie es erneut.',
    refused: 'Der Shop akzeptiert dies nicht: {reason}',
    crowded: 'Der Andrang ist gerade groß. Versuchen Sie es gleich noch einmal.',
    otherTitle: 'Das hat nicht geklappt',
    other:
      'Laden Sie die Seite neu und versuchen Sie es noch einmal. Bezahlen Sie nur erneut, wenn in Ihrer Wallet keine Zahlung steht.',
    tellShop: 'Nennen Sie dem Shop die Nummer dieser Bestellung: <number></number>',
    orderNumber: 'Bestellnummer',
  },

  receipt: {
    nothing: 'Es konnte nichts geliefert werden',
    part: 'Ein Teil Ihrer Bestellung ist angekommen',
    arrived: '{count, plural, one {Ihre Edition ist angekommen} other {Ihre Editionen sind angekommen}}',
    editions: '{count, plural, one {Ihre Edition} other {Ihre Editionen}}',
    seeWallet: 'In Ihrer Wallet ansehen',
    seeWalletOf: 'In der Wallet von {email} ansehen',
    back: 'Zurück zu den Editionen',
    owner: 'Eigentümer',
    ownerWhat: 'Eigentümer',
    you: 'Sie',
    heldFor: 'Verwahrt für',
    tokenId: 'Token-ID',
    contract: 'Smart Contract',
    contractWhat: 'Smart Contract',
    mint: 'Mint',
    mintWhat: 'Mint-Adresse',
    transaction: 'Transaktion',
    network: 'Netzwerk',
    title: 'Beleg',
    date: 'Datum',
    order: 'Bestellung',
    orderWhat: 'Bestellnummer',
    deliveredTo: 'Geliefert an',
    subtotal: 'Zwischensumme',
    tax: 'Steuern',
    shipping: 'Versand',
    total: 'Gesamtbetrag',
    paid: 'Bezahlt',
    amountOn: '{amount} auf {network}',
    networkFee: 'Netzwerkgebühr',
    feePaid: '{amount}, an das Netzwerk bezahlt',
    sentBack: 'Zurückgesendet',
    paidBy: 'Bezahlt von',
    payment: 'Zahlung',
    keep: 'Aufbewahren und teilen',
    print: 'Drucken',
    mailSent: 'An <strong>{email}</strong> gesendet.',
    mail: 'Per E-Mail an mich',
    send: 'Senden',
    share: 'Teilen',
    linkCopied: 'Link kopiert',
    unreadable: 'Die Bestellung kann nicht gelesen werden. Laden Sie diese Seite neu.',
    noMail: 'Dieser Shop versendet noch keine Belege.',
    tooManyMails: 'Gerade wurden mehrere E-Mails angefordert. Versuchen Sie es in einer Minute noch einmal.',
  },

  signIn: {
    title: 'Anmelden',
    heading: 'Mit einer E-Mail-Adresse gekauft',
    about:
      'Was Sie mit einer E-Mail-Adresse gekauft haben, liegt in einer eigenen Wallet für Sie. Melden Sie sich an, um es zu sehen, es als Ihr Eigentum nachzuweisen und weiterzusenden.',
    sent: 'Ein Link ist unterwegs an <strong>{email}</strong>. Er funktioniert einmal und 15 Minuten lang; sobald Sie ihn in diesem Browser geöffnet haben, öffnet diese Seite Ihre Wallet von selbst.',
    otherAddress: 'Andere Adresse verwenden',
    sending: 'Wird gesendet\u00a0…',
    send: 'Link zusenden',
    sandbox:
      'In dieser Sandbox verlässt keine E-Mail den Rechner: Der Link liegt im Postfach der Sandbox, das alle Besucher dieser Seite lesen können. Ein echter Shop sendet ihn an die Adresse und erfährt so, dass sie Ihnen gehört.',
    confirmTitle: 'Bei Recto anmelden',
    confirm: 'Sie möchten die Wallet von <strong>{email}</strong> in diesem Browser öffnen.',
    oldLinkTitle: 'Dieser Link ist nicht mehr gültig',
    oldLink:
      'Ein Link funktioniert einmal und 15 Minuten lang. Wenn Sie schon angemeldet sind, ist Ihre Wallet geöffnet; sonst fordern Sie dort einen neuen Link an.',
    goToWallet: 'Zu Ihrer Wallet',
    noLinks: 'Dieser Shop versendet noch keine Links zum Anmelden.',
    tooManyLinks:
      'Gerade wurden mehrere Links angefordert. Suchen Sie den letzten, oder versuchen Sie es in einer Minute noch einmal.',
    usedLink: 'Dieser Link wurde schon benutzt oder ist abgelaufen. Fordern Sie einen neuen an.',
  },

  wallet: {
    title: 'Ihre Wallet',
    signOut: 'Abmelden',
    signIn: 'Anmelden',
    opening: 'Ihre Wallet wird geöffnet\u00a0…',
    signedOutTitle: 'Sie sind abgemeldet',
    signedOut:
      'Es ist eine Woche vergangen, oder Sie haben sich in einem anderen Tab abgemeldet. Es ist nichts verloren: Melden Sie sich wieder an.',
    awayTitle: 'Ihre Wallet ist nicht erreichbar',
    away: 'Der Dienst des Shops antwortet gerade nicht. Was Ihnen gehört, liegt auf dem jeweiligen Netzwerk und ist sicher.',
    tryAgain: 'Erneut versuchen',

    browserTitle: 'In der Wallet dieses Browsers',
    browserConnected: 'Die Editionen dieses Shops, die in Ihrer verbundenen Wallet liegen.',
    browserConnect: 'Verbinden Sie eine Wallet, um die Editionen dieses Shops zu sehen, die darin liegen.',
    ethereumWallets: 'Ethereum-Wallets',
    solanaWallets: 'Solana-Wallets',
    disconnect: 'Trennen',
    holdsNothing: 'In dieser Wallet liegt noch nichts aus diesem Shop. Was Sie damit kaufen, erscheint hier.',

    keptTitle: 'Für Sie verwahrt',
    keptAbout:
      'Was für Ihre E-Mail-Adresse gekauft wird, kommt hierher. Der Dienst des Shops verwahrt den Schlüssel; er signiert, was Sie anfordern, solange Sie angemeldet sind.',
    keptEmpty:
      'Kaufen Sie eine Edition und lassen Sie sie an {email} liefern, dann erscheint sie hier von selbst.',
    keptOther: 'Die für mich verwahrte Wallet',
    solanaTitle: 'Auf Solana',
    solanaAbout:
      'Was auf Solana für Ihre E-Mail-Adresse gekauft wird, kommt hierher. Der Dienst des Shops verwahrt auch diesen Schlüssel.',
    solanaEmpty: 'Was hier lag, wurde weitergesendet.',
    ownEmpty: 'Senden Sie etwas aus der Wallet oben hierher, oder lassen Sie es an diese Adresse liefern.',
    passkeyOther: 'Meine Passkey-Wallet',
    passkeyTitle: 'Mit Ihrem Passkey',
    passkeyAbout: 'Nur Ihr Passkey bewegt, was hier liegt: Dieser Shop und sein Dienst können es nicht.',
    custodialTitle: 'Auch für Sie verwahrt',
    custodialAbout:
      'Der Dienst des Shops verwahrt auch den Schlüssel dieser Wallet; er signiert, was Sie anfordern, solange Sie angemeldet sind.',
    signerTitle: 'Mit einem anderen Unterzeichner',
    signerAccount:
      'Das Konto {address} signiert für diese Wallet. Falls es nicht Ihres ist, senden Sie nichts hierher und sagen Sie es dem Shop.',
    signerUnknown:
      'Für diese Wallet signiert jemand, den dieser Shop nicht kennt. Falls das nicht Sie sind, senden Sie nichts hierher und sagen Sie es dem Shop.',
    passkeyOffer:
      'Eine eigene Wallet, die sich mit Ihrem Fingerabdruck, Ihrem Gesicht oder der PIN Ihres Geräts öffnet. Nur Ihr Passkey bewegt, was darin liegt: Dieser Shop und sein Dienst können es nicht. Geht der Passkey verloren, ist auch der Inhalt der Wallet verloren. Bewahren Sie ihn deshalb dort auf, wo er gesichert wird.',
    passkeyName: 'Recto-Wallet von {email}',
    passkeyCreate: 'Wallet mit Passkey erstellen',
    passkeyCreating: 'Ihre Wallet wird erstellt\u00a0…',
    passkeyAway:
      'Der Dienst des Shops antwortet gerade nicht. Ihr Passkey ist erstellt: Versuchen Sie es noch einmal, dann öffnet er die Wallet.',
    passkeyExists:
      'Sie haben schon eine solche Wallet, die früher oder inzwischen auf einem anderen Gerät erstellt wurde. Der Passkey, den Sie gerade erstellt haben, öffnet sie nicht. Löschen Sie deshalb diesen neuen Passkey.',

    addressOf: 'Adresse von „{title}“',
    asking: 'Die Netzwerke werden nach dem Inhalt gefragt\u00a0…',
    networksAway:
      'Zurzeit nicht erreichbar: {networks}. Was Ihnen dort gehört, ist sicher und erscheint, sobald wieder eine Antwort kommt.',
    showMore: 'Mehr anzeigen',
    nothingYet: 'Hier ist noch nichts',
    seeEditions: 'Editionen ansehen',
    hasBeenSent: '{name} wurde gesendet.',
    unnamedToken: 'Token {number}',
    subscriptionUntil: 'Abo bis <date></date>',
    subscriptionEnded: 'Abo endete am <date></date>',
    unknownDate: 'Unbekannt',
    notSendable: 'Token auf {network} können von hier aus noch nicht gesendet werden.',
    send: 'Senden',
    credential: 'Nachweis',
    close: 'Schließen',
  },

  send: {
    title: 'Diesen Token senden',
    confirmTitle: 'An diese Adresse senden?',
    sending: 'Wird gesendet\u00a0…',
    sent: 'Gesendet',
    notSent: 'Nicht gesendet',
    wasItSent: 'Wurde er gesendet?',
    sendTo: 'Senden an',
    cancel: 'Abbrechen',
    continue: 'Weiter',
    enterAddress: 'Geben Sie die Adresse ein, an die gesendet wird.',
    notAddress: 'Eine Adresse beginnt mit 0x, darauf folgen 40 Zeichen von 0 bis 9 und a bis f.',
    wrongChecksum:
      'Ein Zeichen dieser Adresse ist falsch, denn die Prüfsumme passt nicht. Kopieren Sie die Adresse noch einmal.',
    noOwner: 'Diese Adresse gehört niemandem: Was dorthin gesendet wird, ist verloren.',
    sameWallet: 'In dieser Wallet liegt der Token bereits.',
    fee: 'Gebühr',
    noFee: 'Keine: Der Shop bezahlt sie',
    mostFee: 'Höchstens {amount}, aus dieser Wallet',
    compare: 'Vergleichen Sie die Adresse: Was gesendet wurde, lässt sich nicht zurückholen.',
    comparePasskey:
      'Vergleichen Sie die Adresse: Was gesendet wurde, lässt sich nicht zurückholen. Als Nächstes fragt Ihr Gerät nach Ihrem Passkey.',
    back: 'Zurück',
    sendIt: 'Jetzt senden',
    goOn: 'Fortfahren',
    sign: 'Mit Passkey signieren',
    tryAgain: 'Erneut versuchen',
    done: 'Fertig',
    close: 'Schließen',
    tryingOut: 'Probelauf im Netzwerk',
    triedOut: 'Probelauf im Netzwerk abgeschlossen',
    waiting: 'Wartet auf Ihren Passkey',
    signed: 'Mit Ihrem Passkey signiert',
    onItsWay: 'Unterwegs auf {network}',
    arrived: 'Angekommen auf {network}',
    unanswered:
      'Die Antwort ist verloren gegangen, daher ist nicht bekannt, ob der Token gesendet wurde. Fahren Sie fort: Er wird nur einmal gesendet, auch wenn Sie es mehrmals anfordern.',

    signedOut: 'Sie sind abgemeldet. Melden Sie sich wieder an; es wurde nichts gesendet.',
    signedOutUnknown:
      'Sie sind abgemeldet, daher ist nicht bekannt, ob der Token gesendet wurde. Melden Sie sich wieder an: Was unterwegs ist, läuft weiter.',
    unknown:
      'Der Dienst des Shops hat nicht geantwortet, daher ist nicht bekannt, ob der Token gesendet wurde. Versuchen Sie es noch einmal: Er wird nur einmal gesendet, auch wenn Sie es mehrmals anfordern.',
    passkeyRejected:
      'Ihr Passkey wurde nicht verwendet: Sie haben abgebrochen, oder die Zeit ist abgelaufen. Es wurde nichts gesendet; versuchen Sie es erneut, wenn Sie bereit sind.',
    passkeyUnavailable:
      'Passkeys sind in diesem Browser hier nicht verfügbar. Öffnen Sie den Shop über https in einem Browser, der sie unterstützt.',
    passkeyFailed:
      'Der Passkey dieser Wallet konnte nicht verwendet werden: Ist dies das Gerät, auf dem er erstellt wurde? Es wurde nichts gesendet.',
    wouldRevert:
      'Das Netzwerk würde dies ablehnen, daher wurde nichts gesendet: Vielleicht darf dieser Token nicht weitergesendet werden, oder er wurde es bereits.',
    reverted: 'Das Netzwerk hat dies abgelehnt: Der Token ist dort, wo er war.',
    sanctioned: 'An diese Adresse kann nichts gesendet werden: Sie steht auf einer Sanktionsliste.',
    refused: 'Es wurde nichts gesendet: {reason}',
    failed: 'Das Netzwerk wurde nicht erreicht: Der Token ist dort, wo er war. Versuchen Sie es noch einmal.',
    unfinished:
      'Das Netzwerk ist langsam. Der Token ist noch unterwegs; diese Seite zeigt, wenn er angekommen ist.',
    serviceAway:
      'Der Dienst des Shops antwortet gerade nicht. Es wurde nichts gesendet; versuchen Sie es noch einmal.',
    other:
      'Das hat nicht geklappt, und es wurde nichts gesendet. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  },

  credential: {
    title: 'Nachweis',
    getting: 'Der Nachweis wird abgerufen und geprüft\u00a0…',
    none: 'Es gibt keinen Nachweis: Der Token liegt nicht mehr in dieser Wallet.',
    away: 'Der Nachweis konnte nicht abgerufen werden: Der Dienst oder das Netzwerk antwortet nicht.',
    tryAgain: 'Erneut versuchen',
    close: 'Schließen',
    download: 'Als JSON herunterladen',
    valid: 'Gültig',
    notValid: 'Nicht gültig',
    unsure: 'Der Signatur nach gültig; das Netzwerk konnte nicht gefragt werden',
    notChecked: 'Nicht geprüft',
    issuerUnknown: 'Für diesen Shop ist nicht festgelegt, wessen Nachweisen er vertraut',
    malformed: 'Dies ist kein lesbarer Nachweis',
    otherIssuer: 'Dieser Shop kennt den Aussteller nicht',
    notSigned: 'Die Signatur stammt nicht vom Aussteller',
    tooEarly: 'Noch nicht gültig',
    expired: 'Abgelaufen',
    sameOwner: 'Das Netzwerk nennt denselben Eigentümer',
    otherOwner: 'Das Netzwerk nennt einen anderen Eigentümer',
    ownerUnknown: 'Das Netzwerk konnte nicht nach dem Eigentümer gefragt werden',
    signed: 'Wort für Wort vom Aussteller signiert, dem dieser Shop vertraut',
    inTime: 'Innerhalb der Gültigkeitsdauer',
    issuedBy: 'Ausgestellt von',
    owner: 'Eigentümer',
    issued: 'Ausgestellt am',
    until: 'Gültig bis',
    noEnd: 'Unbefristet',
  },

  mails: {
    receiptTitle: 'Ihr Beleg von Recto',
    receiptThanks: 'Danke für Ihre Bestellung. Sie ist bezahlt.',
    receiptOpen: 'Bestellung öffnen',
    receiptNote: 'Der Link öffnet Ihre Bestellung 90 Tage lang in jedem Browser. Geben Sie ihn nicht weiter.',
    untitled: 'Ohne Titel',
    total: 'Gesamtbetrag',
    network: 'Netzwerk',
    payment: 'Zahlung',
    order: 'Bestellung',
    signInTitle: 'Bei Recto anmelden',
    signInText:
      'Öffnen Sie Ihre Wallet bei Recto als {email}. Der Link funktioniert einmal und 15 Minuten lang.',
    signIn: 'Anmelden',
    signInNote:
      'Sie haben das nicht angefordert? Ignorieren Sie diese E-Mail: Ohne den Link wird niemand angemeldet.',
  },
}
