#!lua flags=allow-key-locking
--[[
  add-stock: change how many units a sale has, up or down, once per change.

  KEYS[1] stock:{<sale>:0}    hash   total, booked, restocks, change
  ARGV[1] delta               units to add; negative takes away
  ARGV[2] change id           the same for every repeat of one change

  Reply {code, total, booked, restocks}
    1 changed           total is the new one
    2 repeat            this change is the last one applied: nothing was done again
    3 below-booked      total and booked as they are: so few units would break promises; nothing changed
    4 unlimited         an unlimited stock has no number to change; no counters
   10 unknown-sale      no stock on the shelf; no counters

  Changes of one sale come one after another, so remembering the last id is enough to know a repeat. Only a
  rise counts as a restock: restocks is the revision that tells the gate whether "sold out" still holds.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'booked', 'restocks', 'change')
local total, booked, restocks = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
if not total then return {10} end
if stored[4] == ARGV[2] then return {2, total, booked, restocks} end
if total == -1 then return {4} end

local delta = tonumber(ARGV[1])
total = total + delta
if total < booked then return {3, total - delta, booked, restocks} end
if delta > 0 then restocks = restocks + 1 end
redis.call('HSET', KEYS[1], 'total', string.format('%d', total), 'restocks', restocks, 'change', ARGV[2])
return {1, total, booked, restocks}
