# docker build -t crivello . && docker run -p 127.0.0.1:8765:8765 -v crivello:/var/lib/crivello crivello \
#   up https://your.site/ --contact you@your.site
# The packages are built in a stage of its own; the image has the program's, with what that depends on.
FROM debian:12 AS build
COPY packages.txt /src/
COPY tools/install-packages /src/tools/
RUN /src/tools/install-packages build package && rm -rf /var/lib/apt/lists/*
COPY . /src
WORKDIR /src
RUN cmake --preset package && cmake --build build/package --target packages && cd build/package && cpack

FROM debian:12
COPY --from=build /src/build/package/crivello_*.deb /tmp/
RUN apt-get update && apt-get install -y /tmp/crivello_*.deb && rm -rf /tmp/*.deb /var/lib/apt/lists/*
USER crivello
WORKDIR /var/lib/crivello
VOLUME /var/lib/crivello
# All options may come as variables: docs/configuration.md.  Inside the container all addresses are its own.
ENV CRIVELLO_COLLECTION=/var/lib/crivello/collection CRIVELLO_SERVE_LISTEN=0.0.0.0:8765 CRIVELLO_LOG_FORMAT=json
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=30s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8765 && printf 'GET /health/livez HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && grep -q ' 200 ' <&3"]
ENTRYPOINT ["/usr/bin/crivello"]
CMD ["up"]
