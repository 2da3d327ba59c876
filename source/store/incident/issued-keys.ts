/**
 * Keys and tokens whose issuers give them a form of their own, so that scanners find them. The forms are those of
 * the issuers' documents, as gitleaks and detect-secrets use them.
 */

/** Source of a regular expression. */
export const issuedKeys = [
  // AWS, Google, Alibaba
  String.raw`(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  String.raw`AIza[\w-]{35}`,
  String.raw`GOCSPX-[\w-]{20,64}`,
  String.raw`ya29\.[\w-]{20,2048}`,
  'LTAI[A-Za-z0-9]{20}',
  // Code and packages
  'gh[oprsu]_[A-Za-z0-9]{30,255}',
  String.raw`github_pat_\w{22,255}`,
  String.raw`gl(?:pat|ptt|dt|rt|cbt|soat)-[\w.-]{20,300}`,
  'npm_[A-Za-z0-9]{36}',
  String.raw`pypi-AgE[\w-]{50,1000}`,
  String.raw`dckr_(?:pat|oat)_[\w-]{20,64}`,
  // Messages and payment
  String.raw`xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,300}`,
  'xapp-[A-Za-z0-9-]{10,300}',
  '(?:sk|rk)_(?:test|live|prod)_[A-Za-z0-9]{10,255}',
  'whsec_[A-Za-z0-9+/=]{20,100}',
  String.raw`SG\.[\w-]{16,32}\.[\w-]{32,64}`,
  'key-[0-9a-f]{32}',
  'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}',
  String.raw`\d{8,10}:AA[\w-]{33}`,
  // Models and clouds
  String.raw`sk-(?:proj-|ant-|svcacct-|admin-|or-)?[\w-]{20,255}`,
  'hf_[A-Za-z]{34}',
  'do[opr]_v1_[a-f0-9]{64}',
  String.raw`hv[brs]\.[\w-]{20,300}`,
  'dapi[a-f0-9]{32}',
  String.raw`gl(?:c|sa)_[\w+/=-]{32,400}`,
  String.raw`(?:lin_api|ntn|sntrys|dp\.pt|r8|pul)_[\w.=-]{30,300}`,
  'AGE-SECRET-KEY-1[A-Z0-9]{58}',
  // Further services
  String.raw`[0-9a-f]{32}-us\d{1,2}\b`,
  'SK[0-9a-f]{32}(?![0-9A-Za-z])',
  String.raw`sq0(?:atp|csp)-[\w-]{22,43}`,
  String.raw`NRAK-[A-Z0-9]{27}`,
  'rubygems_[0-9a-f]{48}',
  'oy2[a-z0-9]{43}',
  String.raw`fig[dur]_[\w-]{30,100}`,
  String.raw`(?:gsk|nfp|bkua)_\w{40,60}`,
  String.raw`(?:pplx|xai)-\w{40,100}`,
  String.raw`sb(?:[ps]_[0-9a-f]{40}|_secret_[\w-]{20,60})`,
  String.raw`\w{3}\dQ~[\w.~-]{31,34}`,
  'PMAK-[0-9a-f]{24}-[0-9a-f]{34}',
  String.raw`pscale_(?:tkn|oauth|pw)_[\w.=-]{32,64}`,
  String.raw`tskey-[a-z]{2,12}-[\w-]{10,100}`,
  'AKCp[A-Za-z0-9]{60,80}',
  String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}`,
  String.raw`AT[AC]TT3[\w=-]{50,300}`,
  String.raw`CCIPAT_\w{10,40}_[0-9a-f]{40}`,
  'EZ[AT]K[a-z0-9]{54}',
  String.raw`FLWSECK(?:_TEST)?-[\w-]{12,60}`,
  String.raw`access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}`,
  // Hashes of passwords: bcrypt, crypt, argon2, scrypt
  String.raw`\$(?:2[abxy]?|[1567]|y|argon2(?:id|i|d)|scrypt|pbkdf2[\w-]{0,12})\$[\w./$=,+-]{20,400}`,
  // hostdeck
  String.raw`hd_[\w-]{43}`,
].join('|');
