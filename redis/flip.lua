#!lua flags=allow-key-locking
--[[
  flip: change a sale's start flag (start, pause, resume, close), and with it its times and how often one may try.

  KEYS[1] stock:{<sale>:0}    hash   total; flag, epoch, startToken, startsAt, endsAt, version, terms
  ARGV[1] version             of the sale with this change
  ARGV[2] flag                off, on, paused or closed
  ARGV[3] epoch
  ARGV[4] start token         empty until the sale is first started
  ARGV[5] starts at           epoch ms
  ARGV[6] ends at             epoch ms
  ARGV[7] terms               of the opening, packed for reserve.lua
  ARGV[8] tries               of one shopper and the window they count in, packed likewise

  Reply {code, version}        the version now in force
    1 applied
    2 repeat            that version was in force already
    3 superseded        a newer one is: nothing changed
   10 unknown-sale      no stock on the shelf; no version

  terms keeps max and limit: shoppers hold orders made under them. A fenced stock keeps all its terms and so stays fenced;
  reopen.lua writes them anew.
  Versions only rise, so flips may arrive late, twice or in the wrong order and the newest wins.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'version', 'terms')
if not stored[1] then return {10} end
local version, present = tonumber(ARGV[1]), tonumber(stored[2])
if version == present then return {2, present} end
if version < present then return {3, present} end
local terms = stored[3]
if string.sub(terms, 32, 38) ~= '!fenced' then
  terms = ARGV[7] .. string.match(terms, '( %d+ %d+ )%d+ %d+$') .. ARGV[8]
end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'flag', ARGV[2], 'epoch', ARGV[3], 'startToken', ARGV[4],
  'startsAt', ARGV[5], 'endsAt', ARGV[6], 'terms', terms)
return {1, version}
