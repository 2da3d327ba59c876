;; The functions of byte-search.ts. `npm run docs` assembles them into byte-search-module.ts.
;;
;; Memory: the letters to find from 0, the bits to ignore in each from 256, matches of four bytes
;; each from 512, the bytes to search from 32768. The functions read up to 64 bytes after letters and
;; bytes, and write up to 64 matches more than they are asked for.
(module
  ;; Writes the places of the letters that begin between $at and $end, and returns their number; it
  ;; stops after $most. It compares sixteen places at once, each by the two letters with the indices
  ;; $first and $second, and skips four such blocks at once where none matches.
  (func (export "find")
    (param $at i32) (param $end i32) (param $length i32)
    (param $first i32) (param $second i32) (param $most i32)
    (result i32)
    (local $found i32) (local $place i32) (local $letter i32) (local $count i32) (local $stop i32)
    (local $firstLetter v128) (local $firstCase v128)
    (local $secondLetter v128) (local $secondCase v128)
    (local.set $firstLetter
      (i8x16.splat (i32.load8_u (i32.add (i32.const 0) (local.get $first)))))
    (local.set $firstCase
      (i8x16.splat (i32.load8_u (i32.add (i32.const 256) (local.get $first)))))
    (local.set $secondLetter
      (i8x16.splat (i32.load8_u (i32.add (i32.const 0) (local.get $second)))))
    (local.set $secondCase
      (i8x16.splat (i32.load8_u (i32.add (i32.const 256) (local.get $second)))))
    (block $searched
      (loop $search
        (br_if $searched
          (i32.eqz
            (i32.and
              (i32.lt_u (local.get $at) (local.get $end))
              (i32.lt_u (local.get $count) (local.get $most)))))
        (local.set $stop (i32.add (local.get $at) (i32.const 64)))
        (if
          (i8x16.bitmask
            (v128.or
              (v128.or
                (v128.and
                  (i8x16.eq
                    (v128.or
                      (v128.load align=1 (i32.add (local.get $at) (local.get $first)))
                      (local.get $firstCase))
                    (local.get $firstLetter))
                  (i8x16.eq
                    (v128.or
                      (v128.load align=1 (i32.add (local.get $at) (local.get $second)))
                      (local.get $secondCase))
                    (local.get $secondLetter)))
                (v128.and
                  (i8x16.eq
                    (v128.or
                      (v128.load offset=16 align=1 (i32.add (local.get $at) (local.get $first)))
                      (local.get $firstCase))
                    (local.get $firstLetter))
                  (i8x16.eq
                    (v128.or
                      (v128.load offset=16 align=1 (i32.add (local.get $at) (local.get $second)))
                      (local.get $secondCase))
                    (local.get $secondLetter))))
              (v128.or
                (v128.and
                  (i8x16.eq
                    (v128.or
                      (v128.load offset=32 align=1 (i32.add (local.get $at) (local.get $first)))
                      (local.get $firstCase))
                    (local.get $firstLetter))
                  (i8x16.eq
                    (v128.or
                      (v128.load offset=32 align=1 (i32.add (local.get $at) (local.get $second)))
                      (local.get $secondCase))
                    (local.get $secondLetter)))
                (v128.and
                  (i8x16.eq
                    (v128.or
                      (v128.load offset=48 align=1 (i32.add (local.get $at) (local.get $first)))
                      (local.get $firstCase))
                    (local.get $firstLetter))
                  (i8x16.eq
                    (v128.or
                      (v128.load offset=48 align=1 (i32.add (local.get $at) (local.get $second)))
                      (local.get $secondCase))
                    (local.get $secondLetter))))))
          (then
            (block $blocksRead
              (loop $readBlock
                (br_if $blocksRead (i32.eqz (i32.lt_u (local.get $at) (local.get $stop))))
                ;; One bit for each place where both letters match.
                (local.set $found
                  (i8x16.bitmask
                    (v128.and
                      (i8x16.eq
                        (v128.or
                          (v128.load align=1 (i32.add (local.get $at) (local.get $first)))
                          (local.get $firstCase))
                        (local.get $firstLetter))
                      (i8x16.eq
                        (v128.or
                          (v128.load align=1 (i32.add (local.get $at) (local.get $second)))
                          (local.get $secondCase))
                        (local.get $secondLetter)))))
                (block $foundRead
                  (loop $readFound
                    (br_if $foundRead (i32.eqz (local.get $found)))
                    (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $found))))
                    (local.set $letter (i32.const 0))
                    (block $compared
                      (loop $compare
                        (br_if $compared
                          (i32.eqz
                            (i32.and
                              (i32.lt_u (local.get $letter) (local.get $length))
                              (i32.eq
                                (i32.load8_u (i32.add (i32.const 0) (local.get $letter)))
                                (i32.or
                                  (i32.load8_u (i32.add (local.get $place) (local.get $letter)))
                                  (i32.load8_u (i32.add (i32.const 256) (local.get $letter))))))))
                        (local.set $letter (i32.add (local.get $letter) (i32.const 1)))
                        (br $compare)))
                    (if (i32.eq (local.get $letter) (local.get $length))
                      (then
                        (i32.store align=1
                          (i32.add
                            (i32.const 512)
                            (i32.add
                              (i32.add (local.get $count) (local.get $count))
                              (i32.add (local.get $count) (local.get $count))))
                          (local.get $place))
                        (local.set $count (i32.add (local.get $count) (i32.const 1)))))
                    ;; Removes the lowest bit.
                    (local.set $found
                      (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
                    (br $readFound)))
                (local.set $at (i32.add (local.get $at) (i32.const 16)))
                (br $readBlock)))))
        (local.set $at (local.get $stop))
        (br $search)))
    (local.get $count))

  ;; Removes colour codes from JSON in place: \u001b[, parameters and m. Returns its new end.
  (func (export "bleach") (param $from i32) (param $end i32) (result i32)
    (local $to i32) (local $letter i32) (local $code i32) (local $bytes v128)
    (local.set $to (local.get $from))
    (block $copied
      (loop $copy
        (br_if $copied (i32.eqz (i32.lt_u (local.get $from) (local.get $end))))
        (local.set $bytes (v128.load align=1 (local.get $from)))
        (if
          (i32.and
            (i32.lt_u (i32.add (local.get $from) (i32.const 15)) (local.get $end))
            (i32.eqz
              (i8x16.bitmask (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c (; \ ;)))))))
          (then
            ;; Sixteen bytes without a backslash.
            (v128.store align=1 (local.get $to) (local.get $bytes))
            (local.set $from (i32.add (local.get $from) (i32.const 16)))
            (local.set $to (i32.add (local.get $to) (i32.const 16))))
          (else
            (local.set $letter (i32.load8_u (local.get $from)))
            ;; The place of the last letter of a colour code, 0 where none begins.
            (local.set $code (i32.const 0))
            (if
              (i32.and
                (i32.eq (local.get $letter) (i32.const 0x5c))
                (i32.and
                  (i32.eq
                    (i32.load align=1 (i32.add (local.get $from) (i32.const 1)))
                    (i32.const 0x31303075 (; u001 ;)))
                  (i32.and
                    (i32.eq
                      (i32.or
                        (i32.load8_u (i32.add (local.get $from) (i32.const 5)))
                        (i32.const 0x20 (; to lower case ;)))
                      (i32.const 0x62 (; b ;)))
                    (i32.eq
                      (i32.load8_u (i32.add (local.get $from) (i32.const 6)))
                      (i32.const 0x5b (; [ ;))))))
              (then
                (local.set $code (i32.add (local.get $from) (i32.const 7)))
                (block $parametersRead
                  (loop $readParameter
                    (br_if $parametersRead
                      (i32.eqz
                        (i32.and
                          (i32.lt_u (local.get $code) (local.get $end))
                          ;; Digits, `:` and `;` are consecutive in ASCII.
                          (i32.lt_u
                            (i32.sub (i32.load8_u (local.get $code)) (i32.const 0x30 (; 0 ;)))
                            (i32.const 12)))))
                    (local.set $code (i32.add (local.get $code) (i32.const 1)))
                    (br $readParameter)))
                (if
                  (i32.eqz
                    (i32.and
                      (i32.lt_u (local.get $code) (local.get $end))
                      (i32.eq (i32.load8_u (local.get $code)) (i32.const 0x6d (; m ;)))))
                  (then (local.set $code (i32.const 0))))))
            (if (i32.ne (local.get $code) (i32.const 0))
              (then (local.set $from (i32.add (local.get $code) (i32.const 1))))
              (else
                (i32.store8 (local.get $to) (i32.load8_u (local.get $from)))
                (local.set $from (i32.add (local.get $from) (i32.const 1)))
                (local.set $to (i32.add (local.get $to) (i32.const 1)))
                ;; An escaped character begins no escape itself.
                (if (i32.eq (local.get $letter) (i32.const 0x5c))
                  (then
                    (i32.store8 (local.get $to) (i32.load8_u (local.get $from)))
                    (local.set $from (i32.add (local.get $from) (i32.const 1)))
                    (local.set $to (i32.add (local.get $to) (i32.const 1)))))))))
        (br $copy)))
    (local.get $to))

  (memory (export "memory") 1))
