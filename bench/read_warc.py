#!/usr/bin/env python3
"""bench/read_warc.py FILE.warc.gz...: a reader of WARC 1.1 of its own, on nothing but zlib: every member must be one whole record
whose block has the length and the digest that it says.  Prints a line a file; exit status 1 if one is not so.  If warcio is
installed, that reads the file too."""
import base64, collections, hashlib, sys, zlib


PIECE = 64 << 10


def members(data):
    """The members of a gzip file, inflated, one after the other."""
    at, view = 0, memoryview(data)
    while at < len(data):
        inflate, pieces = zlib.decompressobj(wbits=31), []
        while not inflate.eof and at < len(data):
            piece = view[at:at + PIECE]
            pieces.append(inflate.decompress(piece))
            at += len(piece)
        if not inflate.eof:
            raise ValueError('the last member is cut')
        at -= len(inflate.unused_data)
        yield b''.join(pieces)


def record(member):
    """The fields of its head, names in small letters."""
    head, separator, rest = member.partition(b'\r\n\r\n')
    lines = head.split(b'\r\n')
    if not separator or lines[0] != b'WARC/1.1':
        raise ValueError('no WARC/1.1 head')
    fields = {}
    for line in lines[1:]:
        name, colon, value = line.partition(b':')
        if not colon:
            raise ValueError('a field without a colon')
        fields[name.decode().lower()] = value.strip().decode()
    length = int(fields['content-length'])
    block = rest[:length]
    if rest[length:] != b'\r\n\r\n':
        raise ValueError('the block is not as long as it says')
    digest = fields.get('warc-block-digest', '')
    if digest.startswith('sha1:') and base64.b32encode(hashlib.sha1(block).digest()).decode() != digest[5:]:
        raise ValueError('another block digest')
    for name in ('warc-record-id', 'warc-date', 'warc-type'):
        if name not in fields:
            raise ValueError('no ' + name)
    return fields


def read(path):
    kinds = collections.Counter()
    with open(path, 'rb') as file:
        for member in members(file.read()):
            kinds[record(member)['warc-type']] += 1
    return kinds


def read_with_warcio(path):
    try:
        from warcio.archiveiterator import ArchiveIterator
    except ImportError:
        return None
    count = 0
    with open(path, 'rb') as file:
        for entry in ArchiveIterator(file, check_digests='raise'):
            entry.content_stream().read()
            count += 1
    return count


def main(paths):
    bad = 0
    for path in paths:
        try:
            kinds = read(path)
            other = read_with_warcio(path)
            if other not in (None, sum(kinds.values())):
                raise ValueError('warcio reads %d records' % other)
            print('%s: %d records (%s)%s' % (path, sum(kinds.values()), ', '.join('%d %s' % (n, k) for k, n in sorted(kinds.items())),
                                             '' if other is None else ', warcio agrees'))
        except Exception as error:  # whatever a foreign reader stumbles over is what we want to know
            print('%s: %s' % (path, error))
            bad = 1
    return bad


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
