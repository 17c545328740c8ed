/** The shop's sentences in French. */
import type { Messages } from './Messages'

export const messages: Messages = {
  shop: {
    title: 'Recto\u00a0: éditions numériques',
    description:
      'Des images numériques à petit tirage\u00a0: vous les payez depuis votre portefeuille et les y recevez.',
    claim: 'Images numériques à petit tirage',
    claimDetail: 'Vous les payez depuis votre portefeuille et les y recevez',
    cardAlt: 'Recto\u00a0: images numériques à petit tirage',
    skip: 'Aller au contenu',
    navigation: 'Boutique',
    editions: 'Éditions',
    how: 'Comment ça marche',
    wallet: 'Votre portefeuille',
    sandbox:
      '<strong>Ceci est un environnement de test.</strong> Ses réseaux ne servent qu’aux essais\u00a0: les fonds sont gratuits et rien n’est payant ici.',
    charged: 'Les prix sont débités sur le réseau indiqué pour chaque édition.',
    mailbox: 'Messagerie de test',
    kassa: 'Module de paiement\u00a0: Kassa',
    language: 'Langue',
    setLanguage: 'Changer de langue',
  },

  home: {
    lead: 'Achetées en une minute, livrées dans votre portefeuille, et à vous dans un registre public.',
    onSale: '{count, plural, other {# en vente}}',
    choose: 'Choisissez',
    chooseText:
      'Chaque édition est une image en nombre limité d’exemplaires. Son prix est maintenu pendant que vous passez commande.',
    pay: 'Payez depuis votre portefeuille',
    payText:
      'Ni compte ni carte. Vous voyez le montant exact avant de confirmer, et vous confirmez dans votre propre portefeuille.',
    own: 'Elle est à vous',
    ownText:
      'Votre exemplaire numéroté arrive dans votre portefeuille, en général en moins d’une minute, avec un reçu qui le désigne.',
    nothing: 'Rien n’est en vente pour le moment. Les nouvelles éditions apparaîtront ici dès leur sortie.',
    seeHow: 'Voir comment ça marche',
    series: 'Une de chaque',
    seriesAll:
      '{count, plural, one {# édition} many {Les # éditions} other {Les # éditions}} en une seule commande et un seul paiement.',
    seriesSome:
      '{count, plural, one {L’unique édition} many {Les # éditions} other {Les # éditions}} pour portefeuilles {wallet} en une seule commande et un seul paiement.',
  },

  stock: {
    open: 'Édition ouverte',
    soldOut: 'Épuisée',
    left: '{count, plural, other {Il en reste # sur {limit, number}}}',
    limited: 'Édition de {limit, number}',
  },

  edition: {
    cardAlt: 'L’image de l’édition, son nom et son prix',
    cardTitle: '{name}, {price}',
    description: '{name}, une édition numérique de Recto.',
    breadcrumb: 'Fil d’Ariane',
    all: 'Toutes les éditions',
    unavailable: 'Cette édition ne peut pas être achetée pour le moment.',
    edition: 'Édition',
    openNumber: 'Ouverte, sans nombre fixe',
    number:
      '{count, plural, one {# exemplaire au total} many {# exemplaires au total} other {# exemplaires au total}}',
    network: 'Réseau',
    token: 'Jeton',
    tokenKind: '{standard}, un par image',
    payment: 'Paiement',
    delivery: 'Livraison',
    deliveryTo: 'Dans votre portefeuille ou à une adresse e-mail',
    sale: 'Vente',
    opens: 'Ouvre le {date}',
    codes: 'Un code promo se saisit au moment de payer',
  },

  buy: {
    quantity: 'Quantité',
    left: '{count, plural, other {Il en reste #}}',
    less: 'Un de moins',
    more: 'Un de plus',
    buy: 'Acheter pour {amount}',
    opening: 'Ouverture du paiement…',
    next: 'À l’étape suivante, vous choisissez comment payer et confirmez le montant exact dans votre portefeuille.',
    nextWorth:
      'Environ {worth}. À l’étape suivante, vous choisissez comment payer et confirmez le montant exact dans votre portefeuille.',
    soldOut: '{name}\u00a0: édition épuisée.',
    others: 'Voir les autres éditions',
    series: 'Acheter toute la série',
    notOnSale: 'Cette édition n’est plus en vente.',
    chooseQuantity: 'Choisissez une quantité de 1 à {most, number}.',
    tooFew: '{name}\u00a0: {left, plural, other {il en reste #}}. Choisissez-en {left, number} au maximum.',
    chooseEdition: 'Choisissez d’abord une édition.',
    tooManyCopies:
      '{most, plural, one {Choisissez au maximum # exemplaire à la fois.} many {Choisissez au maximum # exemplaires à la fois.} other {Choisissez au maximum # exemplaires à la fois.}}',
    tooManyEditions:
      '{most, plural, one {Choisissez au maximum # édition à la fois.} many {Choisissez au maximum # éditions à la fois.} other {Choisissez au maximum # éditions à la fois.}}',
    crowded: 'Beaucoup de personnes achètent en ce moment. Réessayez dans un instant.',
    refused: 'La commande n’a pas pu être passée\u00a0: {reason}',
    away: 'Le service de la boutique ne répond pas pour le moment. Rien n’a été commandé\u202f; réessayez bientôt.',
    offline: 'Vous êtes hors ligne. Rien n’a été commandé\u202f; réessayez au retour de la connexion.',
  },

  trouble: {
    awayTitle: 'La boutique est injoignable',
    away: 'Son service ne répond pas pour le moment. Rien n’est perdu et rien n’a été débité\u202f; réessayez bientôt.',
    errorTitle: 'Un problème est survenu',
    error:
      'Cette page n’a pas pu s’afficher. Si vous avez passé une commande, elle n’est pas touchée\u00a0: rouvrez sa page et elle reprendra là où elle en était.',
    notFound: 'Introuvable',
    notFoundTitle: 'Il n’y a rien à cette adresse',
    notFoundText: 'L’édition a peut-être été retirée, ou le lien contient une erreur.',
    tryAgain: 'Réessayer',
    seeEditions: 'Voir les éditions',
  },

  common: {
    network: 'Réseau',
    to: 'À',
    from: 'De',
    transaction: 'Transaction <link></link>',
    explorer: '(ouvre l’explorateur de blocs)',
    copy: 'Copier <hidden>{what}</hidden>',
    copiedWhat: 'Copié<hidden>\u00a0: {what}</hidden>',
    copied: 'Copié',
    number: 'nº\u00a0{number}',
    email: 'Adresse e-mail',
    emailLike: 'Saisissez une adresse e-mail, comme {example}.',
    onNetwork: 'sur {network}',
    serviceAway: 'Le service de la boutique ne répond pas pour le moment. Réessayez bientôt.',
    openMailbox: 'Ouvrir la messagerie de test',
  },

  wallets: {
    title: 'Portefeuille',
    choose: 'Choisissez un portefeuille',
    newAccount: 'Nouveau compte',
    change: 'Changer de portefeuille',
    finding: 'Recherche de votre portefeuille…',
    needsJavaScript:
      'Payer depuis un portefeuille nécessite JavaScript. Votre commande est conservée\u00a0: activez-le, puis revenez.',
    declined: 'La connexion a été refusée dans le portefeuille. Choisissez un portefeuille pour continuer.',
    failed: 'Le portefeuille ne s’est pas connecté. Déverrouillez-le, puis choisissez-le à nouveau.',
    advice:
      'En vous connectant, vous montrez votre adresse à la boutique. Elle ne peut rien déplacer sans votre confirmation.',
    apps: 'Une application de portefeuille sur ce téléphone ?',
    appsText:
      'Elle ouvre cette boutique dans son propre navigateur, où vous commandez à nouveau. Cette commande reste ici, impayée.',
    installed: 'Les portefeuilles installés dans ce navigateur apparaissent ici automatiquement.',
    noSolana:
      'Aucun portefeuille Solana trouvé dans ce navigateur. Installez-en un, ou payez sur un autre réseau.',
    demo: 'Portefeuille de test',
    demoText: 'Créé pour vous dans ce navigateur, avec des fonds de test',
    elsewhere: 'Connectez le portefeuille de votre téléphone',
    found: 'Trouvé dans ce navigateur',
    ownTitle: 'Utiliser votre propre portefeuille dans cet environnement de test',
    ownSolana:
      'L’environnement de test a son propre cluster Solana et affiche les portefeuilles compatibles avec «\u00a0localnet\u00a0». Dans le vôtre, choisissez «\u00a0localnet\u00a0» et saisissez cette adresse (URL RPC)\u00a0:',
    ownEthereum:
      'L’environnement de test a ses propres copies de ces réseaux. Dans votre portefeuille, saisissez l’adresse (URL RPC) de celui sur lequel vous payez\u00a0:',
    chainId: '{network}, ID de chaîne {id}',
    localnet: '{network}, localnet',
    fundsSent: 'Fonds de test envoyés à {address}.',
    testFunds: 'Fonds de test uniquement',
    confirmPayment: 'Confirmer le paiement',
    decline: 'Refuser',
    confirm: 'Confirmer',
    unpayableTitle: 'Aucun paiement n’est possible ici',
    unpayable:
      'Le service n’indique aucun réseau sur lequel on peut payer dans cette boutique. Rien n’a été débité.',
  },

  checkout: {
    title: 'Finaliser la commande',
    opening: 'Ouverture de votre commande…',
    lostTitle: 'Impossible d’ouvrir cette commande',
    lost: 'La boutique ne la connaît plus, ou elle a été passée dans un autre navigateur.',
    outOfReach: 'Votre commande est en sécurité, mais inaccessible pour le moment',
    keepsAsking: 'Cette page continue d’essayer toute seule.',
    tryNow: 'Essayer maintenant',
    seeEditions: 'Voir les éditions',
    needsJavaScript: 'JavaScript est nécessaire ici. Activez-le et rouvrez le lien.',
    otherBrowserTitle: 'Cette commande a été ouverte dans un autre navigateur',
    otherBrowser:
      'Une commande n’est visible que dans le navigateur où elle a été passée, ou par le lien de l’e-mail qui contient son reçu.',
    oldLinkTitle: 'Ce lien n’est plus valable',
    oldLink:
      'Un lien ouvre sa commande pendant 90\u00a0jours. Ouvrez la commande dans le navigateur où elle a été passée, et envoyez-vous un nouveau lien par e-mail depuis là.',

    checking: 'Vérification du paiement…',
    choosePayment: 'Choisissez un portefeuille ou un autre appareil pour payer.',
    ready: 'Tout est prêt pour payer.',

    payWith: 'Payer avec',
    delivery: 'Livraison',
    deliverTo: 'Où livrer',
    toThisWallet: 'Dans ce portefeuille',
    toWalletOn: 'Dans un portefeuille sur {network}',
    toEmail: 'À une adresse e-mail, pour offrir ou pour récupérer plus tard',
    change: 'Modifier',
    useAddress: 'Utiliser cette adresse',
    ethereumAddress: 'Adresse Ethereum',
    solanaAddress: 'Adresse Solana',
    notEthereum:
      'Ce n’est pas une adresse Ethereum. Elle commence par 0x, suivi de 40 caractères\u00a0: des chiffres de 0 à 9 et des lettres de a à f.',
    notSolana:
      'Ce n’est pas une adresse Solana. Elle compte de 32 à 44 lettres et chiffres\u00a0: copiez-la depuis le portefeuille.',
    sayEmail: 'Indiquez ci-dessus l’adresse e-mail de livraison.',
    sayWallet: 'Indiquez ci-dessus l’adresse du portefeuille de livraison.',

    transfer: 'Payer depuis un autre appareil',
    transferText: 'Scannez un code avec votre téléphone ou ouvrez un portefeuille sur cet appareil',
    transferWhere:
      'Un portefeuille sur un autre appareil ne communique pas son adresse à cette page. Indiquez donc où envoyer la commande.',
    awaiting: 'En attente de votre paiement… Cette page continue toute seule dès qu’il est trouvé.',

    order: 'Votre commande',
    total: 'Total',
    left: 'Reste à payer',
    networkFee: 'Frais de réseau',
    balance: 'Votre solde',
    listPrice: 'Affiché une fois un portefeuille connecté',
    inCurrency: 'Vous le verrez en {currency} avant de payer',
    locked: 'Prix garanti pendant <time></time>',
    gettingPrice: 'Calcul de votre prix…',
    tryAgain: 'Réessayer',
    testFunds: 'Obtenir des fonds de test',
    missing: 'Il manque {missing} à votre portefeuille.',
    noTestFunds:
      'L’environnement de test n’a pas donné de fonds\u00a0: son service ne répond pas. Réessayez dans un instant.',
    looking: 'Recherche de votre paiement. Cette page continue toute seule dès qu’il est trouvé.',
    payAgain: 'Mon portefeuille n’affiche aucun paiement\u00a0: payer à nouveau',
    switchTo: 'Passer à {network}',
    chooseCluster: 'Dans les réglages de votre portefeuille, choisissez {cluster}.',

    soldOut: 'Épuisé',
    onlyLeft:
      '{count, plural, one {Plus que # exemplaire} many {Plus que # exemplaires} other {Plus que # exemplaires}}',
    someLeft: 'Une partie de cette commande n’est plus disponible. Vous n’avez rien payé.',
    noneLeft: 'Tout est épuisé dans cette commande. Vous n’avez rien payé.',
    nameSoldOut: '{name}\u00a0: édition épuisée. Vous n’avez rien payé.',
    thisSoldOut: 'Cette édition est épuisée. Vous n’avez rien payé.',
    nameLeft:
      '{name}\u00a0: vous en avez demandé {asked, number}, {count, plural, other {il en reste #}}. Vous n’avez rien payé.',
    buyRest:
      '{count, plural, one {Acheter # exemplaire} many {Acheter # exemplaires} other {Acheter # exemplaires}}',
    openingCheckout: 'Ouverture du paiement…',
    others: 'Voir les autres éditions',

    sent: 'Votre paiement est envoyé',
    onItsWay: 'En route vers vous',
    paymentLater: 'Paiement',
    paymentNow: 'Envoi du paiement',
    paymentDone: 'Paiement envoyé',
    confirmationLater: 'Confirmation',
    confirmationNow: 'Confirmation du paiement',
    confirmationDone: 'Paiement confirmé',
    deliveryLater: 'Livraison',
    deliveryNow: 'Livraison en cours',
    deliveryDone: 'Livré',
    stateLater: '{step}<hidden>, à venir</hidden>',
    stateNow: '{step}<hidden>, en cours</hidden>',
    stateDone: '{step}<hidden>, terminé</hidden>',
    spedUp: 'Accéléré dans votre portefeuille. Cette page suit la nouvelle transaction.',
    close: 'Vous pouvez fermer cette page et y revenir\u00a0: rien n’est perdu.',
  },

  payment: {
    serviceAway:
      'Le service de la boutique ne répond pas. Votre commande est en sécurité\u202f; cette page continuera toute seule à son retour.',
    tryAgain:
      'Le service de la boutique ne répond pas. Votre commande est en sécurité\u202f; réessayez dans un instant.',
    offline:
      'Vous êtes hors ligne. Votre commande est en sécurité\u202f; cette page continuera toute seule au retour de la connexion.',
    conflict: 'Un paiement pour cette commande a déjà été vu\u00a0: elle ne peut plus être modifiée.',
    uncertain:
      'Votre portefeuille n’a pas dit s’il a envoyé le paiement. Vérifiez-le, et ne payez à nouveau que s’il n’affiche aucun paiement.',
    notConfigured: 'Cette boutique ne peut pas encaisser de paiement sur le réseau de cette commande.',

    expiredTitle: 'Le paiement est arrivé trop tard',
    expired:
      'Le réseau ne l’a pas accepté à temps et ne peut plus l’accepter. Rien n’a été payé\u202f; payez à nouveau.',
    notSponsored:
      'La boutique n’a pas pu envoyer le paiement. Rien n’a été payé. Si vous réessayez, vous payez les frais de réseau.',
    priceChangedTitle: 'Le prix a changé',
    priceChanged:
      'Rien n’a été envoyé. Votre portefeuille ne sera sollicité qu’une fois le nouveau prix accepté.',
    prices: '<hidden>Avant </hidden><old>{from}</old><hidden>, maintenant</hidden> <new>{to}</new>',
    quoteExpiredTitle: 'Le prix a expiré',
    quoteExpired: 'Rien n’a été envoyé. Obtenez un nouveau prix pour continuer.',
    orderChangedTitle: 'La commande a changé',
    orderChanged: 'Rien n’a été envoyé. Vérifiez-la, puis payez.',
    rejectedTitle: 'Refusé dans votre portefeuille',
    rejected: 'Rien n’a été envoyé. Vous avez refusé le paiement\u202f; payez quand vous le souhaitez.',
    notConnectedTitle: 'Aucun portefeuille n’est connecté',
    notConnected: 'Rien n’a été envoyé. Connectez un portefeuille, puis payez.',
    wrongAccountTitle: 'Votre portefeuille est sur un autre compte',
    wrongAccount:
      'Rien n’a été envoyé. Revenez au compte précédent dans votre portefeuille, ou continuez avec celui qui est connecté.',
    wrongChainTitle: 'Votre portefeuille est sur un autre réseau',
    wrongChain: 'Rien n’a été envoyé. Changez de réseau, puis payez.',
    fundsTitle: 'Solde {currency} insuffisant',
    funds: 'Rien n’a été envoyé. Approvisionnez votre portefeuille, ou payez avec une autre monnaie.',
    gasTitle: 'Solde insuffisant pour les frais de réseau',
    gas: 'Rien n’a été envoyé. Ces frais se paient dans la monnaie propre au réseau\u202f; ajoutez-en un peu à votre portefeuille.',
    wouldRevertTitle: 'Le réseau refuserait ce paiement',
    wouldRevert: 'Il a d’abord été testé, donc rien n’a été envoyé. Réessayez dans un instant.',
    chainAwayTitle: 'Le réseau ne répond pas',
    chainAway: 'Rien n’a été envoyé. Réessayez dans un instant.',
    otherTabTitle: 'Ouverte dans un autre onglet',
    otherTab:
      'Cette commande est en cours de paiement dans un autre onglet. Continuez là-bas\u202f; celui-ci suit tout seul.',
    vetoedTitle: 'La boutique a retenu ce paiement',
    vetoed: 'Rien n’a été envoyé\u00a0: {reason}.',
    stoppedTitle: 'Ce paiement a été arrêté',
    stopped:
      'Ce qui allait être demandé à votre portefeuille ne correspond pas à cette commande. Rien n’a été envoyé et rien n’a été débité.',
    stoppedAmount: 'Le paiement aurait été de {prepared}, et non de {quoted}.',
    stoppedChain: 'Il était destiné à {prepared}, et non à {expected}.',
    stoppedToken: 'Il aurait déplacé un autre jeton que {currency}.',
    stoppedRecipient: 'Il aurait payé {recipient}, qui n’est pas l’adresse où cette boutique est payée.',
    stoppedCall: 'Il fait autre chose que payer\u00a0: {reason}.',
    notPayableTitle: 'Cette commande ne peut pas être payée ici',
    notPayable: 'Rien n’a été envoyé. Essayez une autre monnaie, ou demandez à la boutique.',
    uncertainTitle: 'Vérifiez d’abord votre portefeuille',
    uncertainPending:
      'Il n’a pas dit s’il a envoyé le paiement. Une transaction de votre compte est en attente\u00a0: c’est peut-être ce paiement.',
    uncertainText: 'Il n’a pas dit s’il a envoyé le paiement, qui peut donc encore arriver.',
    askedAt: 'Heure de la demande\u00a0: <clock>{time}</clock>.',
    droppedTitle: 'Nous ne trouvons pas votre paiement sur le réseau',
    dropped:
      'Il peut encore arriver. Vérifiez votre portefeuille, et ne payez à nouveau que si rien n’a été envoyé.',
    cancelledTitle: 'Paiement annulé',
    cancelled: 'Vous l’avez annulé dans votre portefeuille et n’avez payé que les frais de réseau.',
    replacedTitle: 'Une autre transaction a pris sa place',
    replaced:
      'Votre portefeuille a envoyé une autre transaction à la place du paiement\u00a0: cette commande n’est donc pas payée.',
    revertedTitle: 'Le réseau a refusé le paiement',
    reverted: 'Vous n’avez payé que les frais de réseau.',
    walletFailedTitle: 'Votre portefeuille n’a pas pu payer',
    walletFailed: 'Vérifiez-le\u00a0: s’il n’affiche aucun paiement, réessayez.',
    refused: 'La boutique n’accepte pas cela\u00a0: {reason}',
    crowded: 'Beaucoup de personnes achètent en ce moment. Réessayez dans un instant.',
    otherTitle: 'Cela n’a pas fonctionné',
    other:
      'Rechargez la page et réessayez. Ne payez à nouveau que si votre portefeuille n’affiche aucun paiement.',
    tellShop: 'Indiquez à la boutique le numéro de cette commande\u00a0: <number></number>',
    orderNumber: 'le numéro de commande',
  },

  receipt: {
    nothing: 'Rien n’a pu être livré',
    part: 'Une partie de votre commande est arrivée',
    arrived:
      '{count, plural, one {Votre édition est arrivée} many {Vos éditions sont arrivées} other {Vos éditions sont arrivées}}',
    editions: '{count, plural, one {Votre édition} many {Vos éditions} other {Vos éditions}}',
    seeWallet: 'Voir dans votre portefeuille',
    seeWalletOf: 'Voir dans le portefeuille de {email}',
    back: 'Retour aux éditions',
    owner: 'Propriétaire',
    ownerWhat: 'l’adresse du propriétaire',
    you: 'Vous',
    heldFor: 'Conservé pour',
    tokenId: 'ID du jeton',
    contract: 'Contrat',
    contractWhat: 'l’adresse du contrat',
    mint: 'Mint',
    mintWhat: 'l’adresse du mint',
    transaction: 'Transaction',
    network: 'Réseau',
    title: 'Reçu',
    date: 'Date',
    order: 'Commande',
    orderWhat: 'le numéro de commande',
    deliveredTo: 'Livré à',
    subtotal: 'Sous-total',
    tax: 'Taxes',
    shipping: 'Livraison',
    total: 'Total',
    paid: 'Payé',
    amountOn: '{amount} sur {network}',
    networkFee: 'Frais de réseau',
    feePaid: '{amount}, payés au réseau',
    sentBack: 'Renvoyé',
    paidBy: 'Payé par',
    payment: 'Paiement',
    keep: 'Conserver et partager',
    print: 'Imprimer',
    mailSent: 'Envoyé à <strong>{email}</strong>.',
    mail: 'Le recevoir par e-mail',
    send: 'Envoyer',
    share: 'Partager',
    linkCopied: 'Lien copié',
    unreadable: 'La commande est illisible. Rechargez cette page.',
    noMail: 'Cette boutique n’envoie pas encore de reçus.',
    tooManyMails: 'Plusieurs e-mails viennent d’être demandés. Réessayez dans une minute.',
  },

  signIn: {
    title: 'Se connecter',
    heading: 'Acheté avec une adresse e-mail',
    about:
      'Tout ce que vous avez acheté avec une adresse e-mail est conservé dans un portefeuille à vous. Connectez-vous pour le voir, prouver qu’il est à vous et l’envoyer ailleurs.',
    sent: 'Un lien est en route vers <strong>{email}</strong>. Il sert une seule fois, pendant 15\u00a0minutes\u202f; une fois que vous l’aurez ouvert dans ce navigateur, cette page affichera votre portefeuille toute seule.',
    otherAddress: 'Utiliser une autre adresse',
    sending: 'Envoi…',
    send: 'M’envoyer un lien',
    sandbox:
      'Dans cet environnement de test, aucun e-mail ne quitte la machine\u00a0: le lien est dans la messagerie de test, que tous les visiteurs de cette page peuvent lire. Une vraie boutique l’envoie à l’adresse, et apprend ainsi qu’elle est à vous.',
    confirmTitle: 'Se connecter à Recto',
    confirm: 'Vous avez demandé à ouvrir le portefeuille de <strong>{email}</strong> dans ce navigateur.',
    oldLinkTitle: 'Ce lien n’est plus valable',
    oldLink:
      'Un lien sert une seule fois, pendant 15\u00a0minutes. Si votre session est déjà ouverte, votre portefeuille l’est aussi\u202f; sinon, demandez un nouveau lien sur la page du portefeuille.',
    goToWallet: 'Aller à votre portefeuille',
    noLinks: 'Cette boutique n’envoie pas encore de liens de connexion.',
    tooManyLinks:
      'Plusieurs liens viennent d’être demandés. Cherchez le dernier, ou réessayez dans une minute.',
    usedLink: 'Ce lien a déjà servi ou a expiré. Demandez-en un nouveau.',
  },

  wallet: {
    title: 'Votre portefeuille',
    signOut: 'Se déconnecter',
    signIn: 'Se connecter',
    opening: 'Ouverture de votre portefeuille…',
    signedOutTitle: 'Votre session est fermée',
    signedOut:
      'Une semaine a passé, ou vous avez fermé la session dans un autre onglet. Rien n’est perdu\u00a0: reconnectez-vous.',
    awayTitle: 'Votre portefeuille est injoignable',
    away: 'Le service de la boutique ne répond pas pour le moment. Ce que vous possédez est sur son réseau, en sécurité.',
    tryAgain: 'Réessayer',

    browserTitle: 'Dans le portefeuille de ce navigateur',
    browserConnected: 'Les éditions de cette boutique que contient votre portefeuille connecté.',
    browserConnect: 'Connectez un portefeuille pour voir les éditions de cette boutique qu’il contient.',
    ethereumWallets: 'Portefeuilles Ethereum',
    solanaWallets: 'Portefeuilles Solana',
    disconnect: 'Déconnecter',
    holdsNothing:
      'Il ne contient encore rien de cette boutique. Ce que vous achèterez avec lui apparaîtra ici.',

    keptTitle: 'Conservé pour vous',
    keptAbout:
      'Tout ce qui est acheté pour votre adresse e-mail arrive ici. Le service de la boutique garde la clé\u202f; il signe ce que vous demandez tant que votre session est ouverte.',
    keptEmpty:
      'Achetez une édition et faites-la livrer à {email}\u00a0: elle apparaîtra ici automatiquement.',
    keptOther: 'Le portefeuille conservé pour moi',
    solanaTitle: 'Sur Solana',
    solanaAbout:
      'Ce qui est acheté sur Solana pour votre adresse e-mail arrive ici. Le service de la boutique garde aussi cette clé.',
    solanaEmpty: 'Ce qui était ici a été envoyé ailleurs.',
    ownEmpty:
      'Envoyez quelque chose ici depuis le portefeuille ci-dessus, ou faites-le livrer à l’adresse de celui-ci.',
    passkeyOther: 'Mon portefeuille à clé d’accès',
    passkeyTitle: 'Avec votre clé d’accès',
    passkeyAbout:
      'Seule votre clé d’accès peut déplacer ce qui est ici\u00a0: ni cette boutique ni son service ne le peuvent.',
    custodialTitle: 'Également conservé pour vous',
    custodialAbout:
      'Le service de la boutique garde aussi la clé de ce portefeuille\u202f; il signe ce que vous demandez tant que votre session est ouverte.',
    signerTitle: 'Avec un autre signataire',
    signerAccount:
      'Le compte {address} signe pour ce portefeuille. Si ce n’est pas vous, n’envoyez rien ici et prévenez la boutique.',
    signerUnknown:
      'Un signataire que cette boutique ne connaît pas signe pour ce portefeuille. Si ce n’est pas vous, n’envoyez rien ici et prévenez la boutique.',
    passkeyOffer:
      'Un portefeuille bien à vous, qui s’ouvre avec votre empreinte, votre visage ou le code de votre appareil. Seule votre clé d’accès peut déplacer ce qu’il contient\u00a0: ni cette boutique ni son service ne le peuvent. Si la clé d’accès est perdue, le contenu du portefeuille l’est aussi\u00a0: gardez-la donc là où elle est sauvegardée.',
    passkeyName: 'Portefeuille Recto ({email})',
    passkeyCreate: 'Créer un portefeuille à clé d’accès',
    passkeyCreating: 'Création de votre portefeuille…',
    passkeyAway:
      'Le service de la boutique ne répond pas pour le moment. Votre clé d’accès est créée\u00a0: réessayez, et elle ouvrira le portefeuille.',
    passkeyExists:
      'Vous avez déjà un portefeuille de ce type\u00a0: il a été créé auparavant, ou entre-temps sur un autre appareil. La clé d’accès que vous venez de créer ne l’ouvre pas\u00a0: supprimez-la.',

    addressOf: 'l’adresse de «\u00a0{title}\u00a0»',
    asking: 'Lecture de son contenu sur les réseaux…',
    networksAway:
      'Injoignable pour le moment\u00a0: {networks}. Ce que vous y possédez est en sécurité et apparaîtra dès que la réponse reviendra.',
    showMore: 'Afficher plus',
    nothingYet: 'Rien pour l’instant',
    seeEditions: 'Voir les éditions',
    hasBeenSent: 'Envoi effectué\u00a0: {name}.',
    unnamedToken: 'Jeton {number}',
    subscriptionUntil: 'Abonnement jusqu’au <date></date>',
    subscriptionEnded: 'Abonnement terminé le <date></date>',
    unknownDate: 'Inconnue',
    notSendable: 'Les jetons sur {network} ne peuvent pas encore être envoyés d’ici.',
    send: 'Envoyer',
    credential: 'Attestation',
    close: 'Fermer',
  },

  send: {
    title: 'Envoyer ce jeton',
    confirmTitle: 'L’envoyer à cette adresse\u202f?',
    sending: 'Envoi…',
    sent: 'Envoyé',
    notSent: 'Non envoyé',
    wasItSent: 'A-t-il été envoyé\u202f?',
    sendTo: 'Envoyer à',
    cancel: 'Annuler',
    continue: 'Continuer',
    enterAddress: 'Saisissez l’adresse à laquelle l’envoyer.',
    notAddress:
      'Une adresse commence par 0x, suivi de 40 caractères\u00a0: des chiffres de 0 à 9 et des lettres de a à f.',
    wrongChecksum:
      'Une lettre ou un chiffre de cette adresse est faux\u00a0: la somme de contrôle ne correspond pas. Copiez-la à nouveau.',
    noOwner: 'Cette adresse n’a pas de propriétaire\u00a0: ce qui y est envoyé est perdu.',
    sameWallet: 'C’est le portefeuille où il se trouve déjà.',
    fee: 'Frais',
    noFee: 'Pris en charge par la boutique',
    mostFee: '{amount} au maximum, depuis ce portefeuille',
    compare: 'Comparez l’adresse\u00a0: ce qui est envoyé ne peut pas être récupéré.',
    comparePasskey:
      'Comparez l’adresse\u00a0: ce qui est envoyé ne peut pas être récupéré. Votre appareil vous demandera ensuite votre clé d’accès.',
    back: 'Retour',
    sendIt: 'Envoyer',
    goOn: 'Continuer',
    sign: 'Signer avec votre clé d’accès',
    tryAgain: 'Réessayer',
    done: 'Terminé',
    close: 'Fermer',
    tryingOut: 'Test sur le réseau',
    triedOut: 'Testé sur le réseau',
    waiting: 'En attente de votre clé d’accès',
    signed: 'Signé avec votre clé d’accès',
    onItsWay: 'En route sur {network}',
    arrived: 'Arrivé sur {network}',
    unanswered:
      'La réponse s’est perdue\u00a0: on ne sait donc pas si l’envoi a eu lieu. Continuez\u00a0: il n’est fait qu’une fois, même si vous le demandez plusieurs fois.',

    signedOut: 'Votre session est fermée. Reconnectez-vous\u202f; rien n’a été envoyé.',
    signedOutUnknown:
      'Votre session est fermée\u00a0: on ne sait donc pas si l’envoi a eu lieu. Reconnectez-vous\u00a0: ce qui est en route se poursuit.',
    unknown:
      'Le service de la boutique n’a pas répondu\u00a0: on ne sait donc pas si l’envoi a eu lieu. Réessayez\u00a0: il n’est fait qu’une fois, même si vous le demandez plusieurs fois.',
    passkeyRejected:
      'Votre clé d’accès n’a pas été utilisée\u00a0: vous avez annulé, ou le délai est écoulé. Rien n’a été envoyé\u202f; réessayez quand vous le souhaitez.',
    passkeyUnavailable:
      'Ce navigateur ne permet pas d’utiliser de clés d’accès ici. Ouvrez la boutique en https dans un navigateur qui les prend en charge.',
    passkeyFailed:
      'La clé d’accès de ce portefeuille n’a pas pu être utilisée\u00a0: est-ce bien l’appareil où elle a été créée\u202f? Rien n’a été envoyé.',
    wouldRevert:
      'Le réseau refuserait cet envoi, donc rien n’a été envoyé\u00a0: ce jeton n’est peut-être pas transférable, ou a déjà été envoyé.',
    reverted: 'Le réseau a refusé cet envoi\u00a0: le jeton est resté où il était.',
    sanctioned: 'Rien ne peut être envoyé à cette adresse\u00a0: elle figure sur une liste de sanctions.',
    refused: 'Rien n’a été envoyé\u00a0: {reason}',
    failed: 'L’envoi n’a pas atteint le réseau\u00a0: le jeton est resté où il était. Réessayez.',
    unfinished:
      'Le réseau est lent. Le jeton est encore en route\u202f; cette page indiquera quand il sera arrivé.',
    serviceAway:
      'Le service de la boutique ne répond pas pour le moment. Rien n’a été envoyé\u202f; réessayez.',
    other: 'Cela n’a pas fonctionné, et rien n’a été envoyé. Rechargez la page et réessayez.',
  },

  credential: {
    title: 'Attestation',
    getting: 'Récupération et vérification de l’attestation…',
    none: 'Il n’y a pas d’attestation\u00a0: ce portefeuille ne contient plus le jeton.',
    away: 'L’attestation n’a pas pu être obtenue\u00a0: le service ou le réseau ne répond pas.',
    tryAgain: 'Réessayer',
    close: 'Fermer',
    download: 'Télécharger en JSON',
    valid: 'Valable',
    notValid: 'Non valable',
    unsure: 'Signature valable\u202f; le réseau n’a pas pu être consulté',
    notChecked: 'Non vérifiée',
    issuerUnknown: 'Cette boutique ne sait pas à quels émetteurs se fier',
    malformed: 'Ce n’est pas une attestation lisible',
    otherIssuer: 'Son émetteur est inconnu de cette boutique',
    notSigned: 'La signature n’est pas celle de son émetteur',
    tooEarly: 'Elle n’est pas encore en vigueur',
    expired: 'Elle a expiré',
    sameOwner: 'Le réseau indique le même propriétaire',
    otherOwner: 'Le réseau indique un autre propriétaire',
    ownerUnknown: 'Impossible de vérifier le propriétaire auprès du réseau',
    signed: 'Signée mot pour mot par l’émetteur auquel cette boutique se fie',
    inTime: 'En cours de validité',
    issuedBy: 'Émise par',
    owner: 'Propriétaire',
    issued: 'Date d’émission',
    until: 'Fin de validité',
    noEnd: 'Sans limite',
  },

  mails: {
    receiptTitle: 'Votre reçu de Recto',
    receiptThanks: 'Merci pour votre commande. Elle est payée.',
    receiptOpen: 'Ouvrir votre commande',
    receiptNote:
      'Le lien ouvre votre commande dans n’importe quel navigateur, pendant 90\u00a0jours. Gardez-le pour vous.',
    untitled: 'Sans titre',
    total: 'Total',
    network: 'Réseau',
    payment: 'Paiement',
    order: 'Commande',
    signInTitle: 'Connectez-vous à Recto',
    signInText:
      'Ouvrez votre portefeuille chez Recto en tant que {email}. Le lien sert une seule fois, pendant 15\u00a0minutes.',
    signIn: 'Se connecter',
    signInNote:
      'Vous n’avez rien demandé\u202f? Ignorez cet e-mail\u00a0: sans le lien, personne ne peut se connecter.',
  },
}
