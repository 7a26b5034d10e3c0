/** French: what is wrong with a setting or a settings file. */
import type { Texts } from '../en/index.ts'

export const frDefect: Texts['defect'] = ({ kind, detail = '' }) =>
  ({
    empty: 'Le fichier est vide.',
    notAnObject: 'Le fichier doit contenir un objet, entre { et }.',
    commaBefore: `Il y a une virgule avant ${detail} : supprimez-la.`,
    commaMissing: 'Il manque une virgule juste avant.',
    colonMissing: 'Il manque un deux-points juste avant.',
    notClosed: `Il manque un ${detail} fermant.`,
    textNotClosed: 'Il manque un guillemet fermant.',
    afterTheEnd: 'Il reste du texte après le dernier }.',
    comment: 'JSON n’admet pas de commentaires : supprimez celui-ci.',
    backslash: 'Doublez chaque barre oblique inverse : \\\\.',
    quotes: 'Utilisez des guillemets droits doubles : "',
    noQuotes: 'Mettez les noms et les textes entre guillemets droits, et écrivez true, false et null en minuscules.',
    utf16: 'Il est en UTF-16 : enregistrez-le en UTF-8.',
    notUtf8: 'Il n’est pas en UTF-8 : enregistrez-le en UTF-8.',
    notAnAddress: 'Ce doit être une adresse, comme https://data.example.com.',
    notHttps: 'L’adresse doit commencer par https://.',
    hasCredentials: 'L’adresse ne doit contenir ni nom d’utilisateur ni mot de passe.',
    hasQuery: 'L’adresse ne doit contenir ni ? ni #.',
    switch: 'Ce doit être true ou false, sans guillemets.',
    dword: 'Dans le registre, ce doit être un REG_DWORD : 1 pour activé, 0 pour désactivé.',
    port: 'Ce doit être un nombre entier de 1024 à 65535.',
    oneOf: `Valeurs possibles : ${detail}.`,
    text: 'Ce doit être un texte entre guillemets droits.',
    domain: 'Ce doit être seulement un domaine, comme login.example.com.',
    object: 'Ce doit être un objet, entre { et }.',
    files: 'Ce doit être une liste de chemins absolus, entre [ et ].',
    certificate: 'Indiquez certFile et keyFile, ou pfxFile, avec des chemins absolus.',
    noCertificate: 'Le fichier ne contient aucun certificat.',
    connectionName:
      'Une connexion ne peut pas porter ce nom. Utilisez a–z, 0–9, - et _ : 32 caractères au plus, une lettre ou un chiffre en premier.',
    meant: `Vouliez-vous dire ${detail} ?`,
  })[kind]
