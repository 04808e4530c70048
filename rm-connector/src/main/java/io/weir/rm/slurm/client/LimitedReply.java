package io.weir.rm.slurm.client;

import java.net.ProtocolException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Collects the body of an answer and gives up when it is longer than allowed. */
final class LimitedReply implements HttpResponse.BodySubscriber<byte[]> {
    private final int limit;
    private final HttpResponse.BodySubscriber<byte[]> body = HttpResponse.BodySubscribers.ofByteArray();
    private long size;
    private Flow.@Nullable Subscription subscription;

    LimitedReply(int limit) {
        this.limit = limit;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        body.onSubscribe(given);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        if (size > limit) {
            return;
        }
        size += parts.stream().mapToLong(ByteBuffer::remaining).sum();
        if (size <= limit) {
            body.onNext(parts);
            return;
        }
        if (subscription != null) {
            subscription.cancel();
        }
        body.onError(new ProtocolException("the answer is longer than " + limit + " bytes"));
    }

    @Override
    public void onError(Throwable failure) {
        body.onError(failure);
    }

    @Override
    public void onComplete() {
        body.onComplete();
    }
}
